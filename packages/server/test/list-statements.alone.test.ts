import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import pg from 'pg'
import { encodeCursor } from '../src/http/endpoint/cursor.ts'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { routes } from '../src/routes.ts'
import { send } from './endpoint-calls.ts'
import { startService, type Service } from './harness.ts'
import { growLists, isKnownList } from './many-rows.ts'
import { idsOf, type Schema } from './sample.ts'
import { createFixture, type Fixture } from './world.ts'

const maxStatements = 3
/**
 * The feed returns complete builds and releases. It runs one statement per related table, regardless of the number of
 * rows. So do the lists that show what a channel publishes. The items that need attention are read with one statement per kind.
 */
const maxStatementsOf: Record<string, number> = {
  listChanges: 7,
  listAttention: 8,
  listRollouts: 7,
  getChannelReadiness: 7,
}
const sizes = [3, 60]

let service: Service
let fixture: Fixture
let rowsOf: (list: string) => number
const sent: string[] = []

before(async () => {
  service = await startService()
  fixture = await createFixture(service)
  // All statements pass through this method, so replacing it records every statement.
  const { query } = pg.Client.prototype
  mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string }]
    sent.push(typeof statement === 'string' ? statement : (statement.text ?? ''))
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

/**
 * Returns whether a statement belongs to the request itself, not to the job queue, transaction control or the API key
 * lookup.
 */
const isOfRequest = (text: string) =>
  !/pgboss|^\s*(begin|commit|rollback|start transaction)/i.test(text) && !/key_sha256"? = any/.test(text)

type Measured = { texts: string[]; rows: number }

async function statementsOf(endpoint: Endpoint, query: string, max: number): Promise<Measured> {
  const path: Endpoint = { ...endpoint, path: `${endpoint.path}${query}` }
  const measure = async () => {
    sent.length = 0
    const needsSession = endpoint.scope !== 'public' && endpoint.scope.session === 'required'
    const key = needsSession ? fixture.ownerSession : fixture.workspaceKey
    const response = await send(service, path, idsOf(fixture, endpoint), { key })
    assert.equal(response.status, 200, `${query} ${response.text}`)
    return { texts: sent.filter(isOfRequest), rows: response.body.data.length as number }
  }
  // Concurrent jobs can add statements, so a measurement with too many statements is repeated and the smallest one counts.
  let smallest = await measure()
  for (let repetition = 0; repetition < 5 && smallest.texts.length > max; repetition++) {
    const repeated = await measure()
    if (repeated.texts.length < smallest.texts.length) smallest = repeated
  }
  return smallest
}

/**
 * Returns a query for each filter and sort key and a query with all filters. Adds a page past the end to each of them.
 */
function queriesOf({ path, query }: Endpoint): string[] {
  const fields = Object.entries((query?.properties ?? {}) as Record<string, Schema>)
  const queries: [string, string][][] = [[]]
  const filters: [string, string][] = []
  for (const [field, schema] of fields) {
    if (field === 'page' || field === 'per_page') continue
    const values = schema.enum ?? [fixture.filters[field]?.at(-1) ?? valueOf(path, field, schema)]
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

function valueOf(path: string, field: string, schema: Schema): string {
  if (schema.type === 'integer') return String(schema.minimum ?? 1)
  if (field.startsWith('created_'))
    return field === 'created_after' ? '2020-01-01T00:00:00Z' : '2030-01-01T00:00:00Z'
  if (field === 'application' || field === 'application_id') return fixture.applicationId
  if (schema.type === 'boolean') return 'true'
  const known: Record<string, string> = {
    platform: 'linux',
    processing: 'done,none',
    platforms: 'linux,android',
    architectures: 'x64,arm64v8',
    sources: 'cli-upload',
    statuses: 'draft,published',
    version: '1.2.3',
    from: '0'.repeat(64),
    after: encodeCursor([
      { '/devices/:device_id/builds': 'device-builds-1', '/notifications': 'notifications.1' }[path] ??
        'downloads.1',
      '2030-01-01T00:00:00Z',
      uuidV7(),
    ]),
  }
  return known[field] ?? 'a'
}

test('has rows in test/many-rows.ts for every list endpoint', () => {
  assert.ok(lists.length > 20)
  assert.deepEqual(
    lists.map(([name]) => name).filter((name) => !isKnownList(name)),
    [],
  )
})

for (const size of sizes) {
  test(`inserts ${size} rows for the list endpoints`, async () => {
    rowsOf = await growLists(service, fixture, size)
  })

  for (const [name, endpoint] of lists) {
    const max = maxStatementsOf[name] ?? maxStatements
    test(`${name} runs at most ${max} SQL statements per request after ${size} rows are inserted`, async () => {
      for (const query of queriesOf(endpoint)) {
        const { texts, rows } = await statementsOf(endpoint, query, max)
        if (query === '' || query === '?per_page=100') assert.ok(rows >= rowsOf(name), `${rows} rows`)
        assert.ok(
          texts.length > 0 && texts.length <= max,
          `${query}: ${texts.length} statements\n${texts.join('\n---\n')}`,
        )
      }
    })
  }
}
