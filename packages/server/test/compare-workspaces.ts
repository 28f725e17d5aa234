import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Db } from '../src/database/transaction.ts'
import { downloads, listComparedEndpoints, listValues, queriesOf } from './compared-endpoints.ts'
import { fillPath, pathNames } from './sample.ts'

type Call = (
  method: string,
  path: string,
  options: { key: string },
) => Promise<{ status: number; headers: Headers; body: unknown; text: string }>
type Side = { url: string; call: Call; key: string; db: Db }

/** The parts of a response that two servers give differently: shared bytes, tokens of links, keys of icons and the signed URLs. */
function normalize(text: string, sides: readonly Side[]): string {
  return (
    sides
      .reduce((result, { url }) => result.replaceAll(url, 'https://builds.example.com'), text)
      .replaceAll(/"request_id":"[^"]*"/g, '"request_id":"…"')
      // An export contains complete files, also of builds that share bytes.
      .replaceAll(/"(physical|freed)_(bytes|string)":("[^"]*"|\d+)/g, '"$1_$2":"…"')
      // The comparison itself uses a key.
      .replaceAll(/"last_used_at":"[^"]*"/g, '"last_used_at":"…"')
      // Tokens are derived from the master secret.
      .replaceAll(/(\/public\/[a-z-]+\/[0-9a-z-]+\/|quayside-verification=)[\w-]{43}/g, '$1…')
      .replaceAll(/(\/s\/[0-9a-z]{10})[0-9a-z]{20}/g, '$1…')
      .replaceAll(/\/icons\/[0-9a-f-]{36}/g, '/icons/…')
  )
}

/** Compares the responses of both servers to every GET request, after replacing the IDs. Returns the number of calls. */
export async function compareWorkspaces(
  source: Side,
  target: Side,
  { workspaceId, newIds }: { workspaceId: string; newIds: ReadonlyMap<string, string> },
): Promise<Record<string, number>> {
  const mapText = (text: string) =>
    text.replaceAll(
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z0-9]{10,12}/g,
      (id) => newIds.get(id) ?? id,
    )
  const sides = [source, target]
  const known = new Set(newIds.values())
  const calls: Record<string, number> = {}
  for (const [name, endpoint] of listComparedEndpoints()) {
    calls[name] = 0
    for (const values of await listValues(source.db, workspaceId, endpoint))
      for (const query of downloads.has(name) ? [''] : queriesOf(endpoint)) {
        const mapped = Object.fromEntries(pathNames(endpoint).map((key) => [key, mapText(values[key] ?? '')]))
        const get = (side: Side, ids: Record<string, string>) =>
          getAllPages(side, `${fillPath(endpoint, ids)}?${query}`)
        const [expected, actual] = await Promise.all([get(source, values), get(target, mapped)])
        calls[name]++
        const where = `${name} ${JSON.stringify(values)} ${query}`
        assert.equal(actual.status, expected.status, `${where}: ${actual.text}`)
        if (downloads.has(name)) {
          assert.deepEqual(await bytesOf(actual), await bytesOf(expected), where)
          continue
        }
        // Names and sent requests can contain previous IDs and URLs, which an import does not change.
        const [wanted, found] = [expected, actual].map((response) =>
          comparable(name, { ...response, text: mapText(normalize(response.text, sides)) }, known),
        )
        assert.deepEqual(found, wanted, where)
      }
  }
  return calls
}

/** Returns the new IDs of an import by the IDs in the export. */
export async function readIdMap(path: string): Promise<Map<string, string>> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const ids = lines.map((line) => JSON.parse(line) as { from: string; to: string })
  return new Map(ids.map(({ from, to }) => [from, to]))
}

type Listed = {
  data: { id?: string; kind?: string }[]
  pagination?: { last_page: number }
  cursor?: string | null
}

/** Returns the first page of a list with the items of all pages, or any other response unchanged. */
async function getAllPages(side: Side, path: string): ReturnType<Call> {
  const get = (query: string) => side.call('GET', `${path}${query}`, { key: side.key })
  const first = await get('')
  if (!isJson(first) || !Array.isArray((first.body as Listed).data)) return first
  const body = first.body as Listed
  const items = [...body.data]
  for (let page = 2; page <= (body.pagination?.last_page ?? 1); page++)
    items.push(...((await get(`&page=${page}`)).body as Listed).data)
  for (let { cursor } = body; typeof cursor === 'string';) {
    const next = (await get(`&after=${encodeURIComponent(cursor)}`)).body as Listed
    items.push(...next.data)
    cursor = next.cursor
  }
  const cursor = body.cursor === undefined ? {} : { cursor: null }
  return { ...first, text: JSON.stringify({ ...body, data: items, ...cursor }) }
}

const isJson = ({ headers }: { headers: Headers }): boolean =>
  /^application\/([a-z]+\+)?json\b/.test(headers.get('content-type') ?? '')

/**
 * Returns what both servers must have in common. Rows of the same microsecond are in any order, in lists and in the lines
 * of a file, the audit log of the target also contains what happened there, and requests for access stay with the source.
 */
function comparable(
  name: string,
  response: { headers: Headers; text: string },
  known: ReadonlySet<string>,
): unknown {
  if (!isJson(response)) return response.text.split('\n').toSorted((a, b) => a.localeCompare(b))
  const body: unknown = JSON.parse(response.text)
  const { data } = body as Listed
  if (!Array.isArray(data)) return body
  const ordered = data
    .filter(({ kind }) => name !== 'listAttention' || kind !== 'access_requested')
    .toSorted((a, b) => String(a.id).localeCompare(String(b.id)))
  if (name === 'listAuditLog') return ordered.filter(({ id }) => known.has(String(id)))
  return { ...(body as Listed), data: ordered }
}

/** Returns the checksum of each file that a response links or to which it redirects. */
async function bytesOf({ headers, body }: Awaited<ReturnType<Call>>): Promise<string[]> {
  const linked = JSON.stringify(body ?? null).match(/(?<="temp_url":")[^"]+/g) ?? []
  const location = headers.get('location')
  return Promise.all(
    [...linked, ...(location === null ? [] : [location])].map(async (url) => {
      const bytes = await (await fetch(url)).arrayBuffer()
      return createHash('sha256').update(Buffer.from(bytes)).digest('hex')
    }),
  )
}
