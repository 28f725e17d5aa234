import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Endpoint } from '../src/http/endpoint/endpoint.ts'
import { routes } from '../src/routes.ts'
import { startService, type Service } from './harness.ts'
import { untilIdle } from './idle.ts'
import { fillPath, idsOf, needsOtherServer, sampleBody, type Schema } from './sample.ts'
import { createFixture, type Fixture } from './world.ts'

let service: Service
let fixture: Fixture

before(async () => {
  service = await startService()
  fixture = await createFixture(service)
})
after(() => service.close())

/** Returns the number of audit entries and events, and the latest `updated_at` of every table with that column. */
async function traces() {
  const { db } = service.deps
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'updated_at' order by 1`.execute(db)
  const changes: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await sql`select count(*), max(updated_at)::text from ${sql.table(name)}`.execute(db)
    changes[name] = rows[0]
  }
  const { rows } = await sql`select (select count(*) from audit_entries) as entries,
    (select count(*) from events) as events`.execute(db)
  return { changes, recorded: rows[0] }
}

const send = (endpoint: Endpoint, body: unknown) =>
  service.call(endpoint.method, fillPath(endpoint, idsOf(fixture, endpoint)), {
    key:
      typeof endpoint.scope === 'object' && endpoint.scope.session === 'required'
        ? fixture.ownerSession
        : fixture.workspaceKey,
    body,
  })

/** Returns the application's platforms. The tests send all of them, because a platform with builds cannot be removed. */
async function attachedPlatforms(): Promise<string[]> {
  const { body } = await service.call('GET', `/applications/${fixture.applicationId}/platforms`, {
    key: fixture.workspaceKey,
  })
  return body.data.map(({ identifier }: { identifier: string }) => identifier)
}

// Stored secrets cannot be compared with new values, so updates of these fields always count as changes.
const incomparable = new Set(['secret', 'password'])

/** Signed URLs contain the second at which they expire. */
const withoutSignatures = (data: unknown): unknown =>
  data === undefined ? data : JSON.parse(JSON.stringify(data).replaceAll(/(https?:[^"?]+)\?[^"]*/g, '$1'))

const writes = Object.entries<Endpoint>(routes).filter(
  ([, endpoint]) =>
    ['PATCH', 'PUT'].includes(endpoint.method) && endpoint.body !== undefined && !needsOtherServer(endpoint),
)

for (const [name, endpoint] of writes) {
  const fields = Object.keys((endpoint.body as Schema).properties ?? {})
  test(`${name} records no change when the same request is repeated`, async () => {
    let repeated = 0
    for (const field of endpoint.method === 'PUT' ? [undefined] : fields) {
      if (field !== undefined && incomparable.has(field)) continue
      const body =
        name === 'replacePlatforms'
          ? { platforms: await attachedPlatforms() }
          : sampleBody(fixture, endpoint, field === undefined ? undefined : [field])
      const first = await send(endpoint, body)
      // Some sample values conflict with the fixture, such as a stream for an event that has no stream filter.
      if (first.status !== 200) continue
      await untilIdle(service)
      const known = await traces()
      const second = await send(endpoint, body)
      assert.equal(second.status, 200, second.text)
      assert.deepEqual(await traces(), known, JSON.stringify(body))
      assert.deepEqual(withoutSignatures(second.body.data), withoutSignatures(first.body.data))
      repeated += 1
    }
    assert.ok(repeated > 0)
  })

  if (endpoint.method === 'PATCH')
    test(`${name} changes and records nothing when the request contains only unknown fields`, async () => {
      await untilIdle(service)
      const known = await traces()
      assert.equal((await send(endpoint, { unknown_field: 1 })).status, 422)
      assert.deepEqual(await traces(), known)
    })
}
