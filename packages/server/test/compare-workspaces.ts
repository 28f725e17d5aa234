import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../src/database/transaction.ts'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { routes } from '../src/routes.ts'
import { fillPath, pathNames, type Schema } from './sample.ts'

type Call = (
  method: string,
  path: string,
  options: { key: string },
) => Promise<{ status: number; body: unknown; text: string }>
type Side = { url: string; call: Call; key: string; db: Db }

/** GET endpoints whose responses do not travel with an export, each with the reason. */
const notCompared: Record<string, string> = {
  getInvitation: 'requires the token of an invitation, of which only the hash is known',
  getSession: 'describes the caller',
  getBuildFile: 'redirects to the file that getBuildDownload links',
  getUpload: 'uploads in progress stay with the server',
  getWebhookSample: 'contains a new example for each call',
  getAvatar: 'the same for everybody',
  getIcon: 'compared by the URLs of icons',
  listBuildDebugIds: 'the server that imports a file reads its debug IDs again',
  listChanges: 'the positions belong to the database',
  listMails: 'emails stay with the server',
  listUploads: 'uploads in progress stay with the server',
  openGroupLink: 'the links of a server are signed with its master secret',
  downloadGroupBuild: 'the links of a server are signed with its master secret',
  openShareLink: 'the links of a server are signed with its master secret',
  downloadLinkBuild: 'the links of a server are signed with its master secret',
  watchEvents: 'an event stream',
  watchWorkspaceEvents: 'an event stream',
}

const downloads = new Set(['getBuildDownload', 'getBuildMetadataDownload'])

const pairs = (table: string, name: string, column = 'id') =>
  `select application_id, ${column} as ${name} from ${table} where workspace_id = $workspace`

/** Queries for the values of path parameters, by the name of the last parameter. */
const valuesOfParameters: Record<string, string> = {
  '': 'select',
  application_id: 'select id as application_id from applications where workspace_id = $workspace',
  build_id: pairs('builds', 'build_id'),
  artifact_id: `select application_id, build_id, a.id as artifact_id from metadata_artifacts a
    join builds on builds.id = build_id where workspace_id = $workspace`,
  release_id: pairs('releases', 'release_id'),
  stream_identifier: `select application_id, streams.id as stream_identifier from streams
    join applications on applications.id = application_id where workspace_id = $workspace`,
  label_identifier: pairs('labels', 'label_identifier'),
  target_identifier: pairs('custom_targets', 'target_identifier'),
  platform: `select application_id, platform from application_platforms
    join applications on applications.id = application_id where workspace_id = $workspace`,
  trusted_publisher_id: pairs('trusted_publishers', 'trusted_publisher_id'),
  webhook_id: pairs('webhooks', 'webhook_id'),
  webhook_request_id: `select application_id, webhook_id, r.id as webhook_request_id from webhook_requests r
    join webhooks on webhooks.id = webhook_id where workspace_id = $workspace`,
  distribution_group_id:
    'select id as distribution_group_id from distribution_groups where workspace_id = $workspace',
  channel_id: pairs('channels', 'channel_id'),
  portal_id: 'select id as portal_id from portals where workspace_id = $workspace',
  user_id: 'select user_id from workspace_members where workspace_id = $workspace',
}

/** Returns the values for each call. An endpoint of the workspace has no values that belong to an application. */
async function listValues(
  db: Db,
  workspaceId: string,
  endpoint: Endpoint,
): Promise<Record<string, string>[]> {
  const names = pathNames(endpoint)
  const query = valuesOfParameters[names.at(-1) ?? '']
  assert.ok(query !== undefined, `add a query for the path parameters of ${endpoint.path}`)
  const text = query.replaceAll('$workspace', `'${workspaceId}'`)
  const { rows } = await sql.raw<Record<string, string | null>>(text).execute(db)
  return rows.filter((row) =>
    names.includes('application_id') || !('application_id' in row)
      ? row['application_id'] !== null
      : row['application_id'] === null,
  ) as Record<string, string>[]
}

/** Returns the query strings with which an endpoint is called: the defaults, and each switch that it has. */
function queriesOf({ query }: Endpoint): string[] {
  const properties = (query as Schema | undefined)?.properties ?? {}
  const all = 'per_page' in properties ? 'per_page=100' : ''
  const switches = Object.entries(properties)
    .filter(([, { type }]) => type === 'boolean')
    .map(([name]) => `${all}&${name}=true`)
  return [all, ...switches]
}

/** The parts of a response that two servers give differently: tokens of links, keys of icons and the signed URLs. */
function normalize(text: string, sides: readonly Side[]): string {
  return (
    sides
      .reduce((result, { url }) => result.replaceAll(url, 'https://builds.example.com'), text)
      .replaceAll(/"request_id":"[^"]*"/g, '"request_id":"…"')
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
  const allEndpoints: [string, Endpoint][] = Object.entries(routes)
  const endpoints = allEndpoints
    .filter(([name, { method }]) => method === 'GET' && !(name in notCompared))
    .toSorted(([a], [b]) => Number(downloads.has(a)) - Number(downloads.has(b)))
  for (const [name, endpoint] of endpoints) {
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
          assert.deepEqual(await bytesOf(actual.body), await bytesOf(expected.body), where)
          continue
        }
        const wanted: unknown = JSON.parse(mapText(normalize(expected.text, sides)))
        // Names and sent requests can contain previous IDs and URLs, which an import does not change.
        const found: unknown = JSON.parse(mapText(normalize(actual.text, sides)))
        assert.deepEqual(comparable(name, found, known), comparable(name, wanted, known), where)
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

type Listed = { data: { id?: string }[]; pagination?: { last_page: number } }

/** Returns the first page of a list with the items of all pages, or any other response unchanged. */
async function getAllPages(side: Side, path: string): ReturnType<Call> {
  const get = (query: string) => side.call('GET', `${path}${query}`, { key: side.key })
  const first = await get('')
  const { data, pagination } = first.body as Listed
  if (pagination === undefined || pagination.last_page < 2) return first
  const items = [...data]
  for (let page = 2; page <= pagination.last_page; page++)
    items.push(...((await get(`&page=${page}`)).body as Listed).data)
  return { ...first, text: JSON.stringify({ ...(first.body as Listed), data: items }) }
}

/** The audit log of the target also contains what happened there, and rows of the same microsecond are in any order. */
function comparable(name: string, body: unknown, known: ReadonlySet<string>): unknown {
  const { data } = body as Listed
  if (!Array.isArray(data)) return body
  const ordered = data.toSorted((a, b) => String(a.id).localeCompare(String(b.id)))
  if (name === 'listAuditLog') return ordered.filter(({ id }) => known.has(String(id)))
  return { ...(body as Listed), data: ordered }
}

/** Returns the checksum of each file that a response links. */
async function bytesOf(body: unknown): Promise<string[]> {
  const urls = JSON.stringify(body).match(/(?<="temp_url":")[^"]+/g) ?? []
  return Promise.all(
    urls.map(async (url) => {
      const bytes = await (await fetch(url)).arrayBuffer()
      return createHash('sha256').update(Buffer.from(bytes)).digest('hex')
    }),
  )
}
