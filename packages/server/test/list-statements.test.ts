import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import pg from 'pg'
import type { Endpoint } from '../src/http/endpoint.ts'
import { routes } from '../src/routes.ts'
import { send } from './endpoint-calls.ts'
import { startService, type Service } from './harness.ts'
import { growLists, isKnownList } from './many-rows.ts'
import { idsOf, type Schema } from './sample.ts'
import { createPlace, type Place } from './world.ts'

const most = 3
const sizes = [3, 60]

let service: Service
let place: Place
let rowsOf: (list: string) => number
const sent: string[] = []

before(async () => {
  service = await startService()
  place = await createPlace(service)
  // what the service's connections send is seen where pg takes it
  const { query } = pg.Client.prototype
  mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [asked] = args as [string | { text?: string }]
    sent.push(typeof asked === 'string' ? asked : (asked.text ?? ''))
    return Reflect.apply(query, this, args) as unknown
  })
})
after(async () => {
  mock.restoreAll()
  await service.close()
})

const isList = ({ method, returns }: Endpoint) =>
  method === 'GET' && (returns as Schema).properties?.['data']?.type === 'array'
const lists = Object.entries<Endpoint>(routes).filter(([, endpoint]) => isList(endpoint))

/** Not the queue's, not the end of a transaction, not the look-up of the key. */
const ofRequest = (text: string) =>
  !/pgboss|^\s*(begin|commit|rollback|start transaction)/i.test(text) && !/"key_sha256" =/.test(text)

async function statementsOf(endpoint: Endpoint, query: string): Promise<{ texts: string[]; rows: number }> {
  const path: Endpoint = { ...endpoint, path: `${endpoint.path}${query}` }
  const ask = async () => {
    sent.length = 0
    const answer = await send(service, path, idsOf(place, endpoint), { key: place.workspaceKey })
    assert.equal(answer.status, 200, `${query} ${answer.text}`)
    return { texts: sent.filter(ofRequest), rows: answer.body.data.length as number }
  }
  // a job that runs meanwhile sends statements of its own: the same call twice tells them apart
  const [first, second] = [await ask(), await ask()]
  return first.texts.length < second.texts.length ? first : second
}

/** One value for each filter and sort of the endpoint; then all filters at once, and a page past the end. */
function queriesOf({ query }: Endpoint): string[] {
  const fields = Object.entries((query?.properties ?? {}) as Record<string, Schema>)
  const queries: [string, string][][] = [[]]
  const filters: [string, string][] = []
  for (const [field, schema] of fields) {
    if (field === 'page' || field === 'per_page') continue
    const values = schema.enum ?? [place.filters[field]?.[1] ?? valueOf(field, schema)]
    for (const value of values) queries.push([[field, String(value)]])
    if (!field.startsWith('sort')) filters.push([field, String(values[0])])
  }
  if (filters.length > 1) queries.push(filters)
  if (query !== undefined && 'page' in query.properties)
    queries.push(...queries.map((one) => [...one, ['page', '99999'] as [string, string]]))
  return queries.map((pairs) => {
    const limit = query !== undefined && 'per_page' in query.properties ? [['per_page', '100']] : []
    const text = new URLSearchParams(Object.fromEntries([...pairs, ...limit])).toString()
    return text === '' ? '' : `?${text}`
  })
}

function valueOf(field: string, schema: Schema): string {
  if (field.startsWith('created_'))
    return field === 'created_after' ? '2020-01-01T00:00:00Z' : '2030-01-01T00:00:00Z'
  if (field === 'application') return place.applicationId
  if (schema.type === 'integer') return String(schema.minimum ?? 1)
  const known: Record<string, string> = {
    platform: 'linux',
    platforms: 'linux,android',
    sources: 'cli-upload',
  }
  return known[field] ?? 'a'
}

test('every list is known to test/many-rows.ts, so that it is read with many rows as well', () => {
  assert.ok(lists.length > 20)
  assert.deepEqual(
    lists.map(([name]) => name).filter((name) => !isKnownList(name)),
    [],
  )
})

for (const size of sizes) {
  test(`lists, ${size} rows each, made`, async () => {
    rowsOf = await growLists(service, place, size)
  })

  for (const [name, endpoint] of lists) {
    test(`${name}, ${size} rows, at most three statements whatever is asked`, async () => {
      for (const query of queriesOf(endpoint)) {
        const { texts, rows } = await statementsOf(endpoint, query)
        if (query === '' || query === '?per_page=100') assert.ok(rows >= rowsOf(name), `${rows} rows`)
        assert.ok(
          texts.length > 0 && texts.length <= most,
          `${query}: ${texts.length} statements\n${texts.join('\n---\n')}`,
        )
      }
    })
  }
}
