import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { ageBuild } from '../../../test/aging.ts'
import { auditEntry } from '../../../test/audit.ts'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { untilIdle } from '../../../test/idle.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { listExpiredBuilds } from './build-trash.db.ts'
import { trashExpiredBuilds } from './expire-builds.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  // The job applies to every stream in the database.
  service = await startOwnService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, owner = tenant) =>
  service.call(method, `/applications/${owner.applicationId}${path}`, { key: owner.applicationKey, body })

const version = {
  version_component_1_major: 1,
  version_component_2_minor: 0,
  version_component_3_patch: 0,
}

const second = 1 / (24 * 60 * 60)
const hour = 1 / 24

async function nightly(days: number, owner = tenant): Promise<string> {
  const { build } = await uploadedBuild(service, owner, { stream: 'nightlies' })
  await ageBuild(service, build.id, { days })
  return build.id
}

const exists = async (id: string, owner = tenant) =>
  (await send('GET', `/builds/${id}`, undefined, owner)).status === 200

/** Retention leaves builds for later that a job has locked, so no other job runs. */
async function run(): Promise<void> {
  await untilIdle(service)
  await trashExpiredBuilds(service.deps)
}

const eventCount = async (id: string) => {
  const rows = await service.deps.db
    .selectFrom('events')
    .select('data')
    .where('name', '=', 'build.deleted')
    .execute()
  return rows.filter(({ data }) => (data as { build: { id: string } }).build.id === id).length
}

test('expires a build only after its retention period ends and records an audit entry and an event', async () => {
  const [overdue, recent] = [await nightly(30 + second), await nightly(30 - hour)]
  await run()
  assert.deepEqual([await exists(overdue), await exists(recent)], [false, true])
  const entry = await auditEntry(service, overdue)
  assert.deepEqual(
    [entry.action, entry.actor_kind, entry.actor_name, entry.address],
    ['build.deleted', 'system', 'Retention', null],
  )
  assert.equal(await eventCount(overdue), 1)
  const path = `/workspace/audit-log?subject_id=${overdue}&action=build.deleted`
  const log = await service.call('GET', path, { key: tenant.workspaceKey })
  assert.deepEqual(log.body.data[0].actor, { kind: 'system', id: null, name: 'Retention' })
})

test('does not expire builds in a stream whose retention period has been removed or was never set', async () => {
  const { build } = await uploadedBuild(service, tenant, { stream: 'stable' })
  await ageBuild(service, build.id, { days: 4000 })
  const owner = await service.tenant()
  const unlimited = await nightly(31, owner)
  assert.equal((await send('PATCH', '/streams/nightlies', { retention_days: null }, owner)).status, 200)
  await run()
  assert.deepEqual([await exists(build.id), await exists(unlimited, owner)], [true, true])
})

test('expires a build only when keep_forever is off and no release or active share link references it', async () => {
  const id = await nightly(31)
  await send('PATCH', `/builds/${id}`, { keep_forever: true })
  const input = { title: 'One', ...version, build_ids: [id] }
  const release = (await send('POST', '/releases', input)).body.data.id as string
  const link = (await send('POST', `/builds/${id}/share-links`, { expires_at: '2099-01-01T00:00:00Z' })).body
    .data.id as string
  const { db } = service.deps
  const steps = [
    () => send('PATCH', `/builds/${id}`, { keep_forever: false }),
    () => send('DELETE', `/releases/${release}`),
    () =>
      db
        .updateTable('share_links')
        .set({ expires_at: '2026-01-01T00:00:00Z' })
        .where('id', '=', link)
        .execute(),
  ]
  for (const step of steps) {
    await run()
    assert.ok(await exists(id))
    await step()
  }
  await run()
  assert.ok(!(await exists(id)))
})

test('expires a restored build again in the next run unless keep_forever is set', async () => {
  const id = await nightly(31)
  await run()
  const restored = await send('POST', `/builds/${id}/restore`)
  assert.equal(restored.status, 200)
  assert.match(restored.body.message, /Set `keep_forever` to keep it/)
  await run()
  assert.ok(!(await exists(id)))
  assert.equal((await send('POST', `/builds/${id}/restore`)).status, 200)
  await send('PATCH', `/builds/${id}`, { keep_forever: true })
  await run()
  assert.ok(await exists(id))
  assert.equal(await eventCount(id), 2)
})

test('does not expire builds while their application is in the trash', async () => {
  const owner = await service.tenant()
  const id = await nightly(31, owner)
  const path = `/applications/${owner.applicationId}`
  await service.call('DELETE', path, { key: owner.workspaceKey })
  await run()
  await service.call('POST', `${path}/restore`, { key: owner.workspaceKey })
  assert.ok(await exists(id, owner))
  await run()
  assert.ok(!(await exists(id, owner)))
})

test('expires each build exactly once when several runs are concurrent', async () => {
  const owner = await service.tenant()
  const { db } = service.deps
  const { build } = await uploadedBuild(service, owner, { stream: 'nightlies' })
  await copyBuild(service, build.id, 450)
  await db
    .updateTable('builds')
    .set({ created_at: '2026-01-01T00:00:00Z' })
    .where('application_id', '=', owner.applicationId)
    .execute()
  await Promise.all([run(), run(), run()])
  const { body } = await send('GET', '/builds', undefined, owner)
  assert.equal(body.pagination.total, 0)
  const entries = await db
    .selectFrom('audit_entries')
    .select('subject_id')
    .where('application_id', '=', owner.applicationId)
    .where('action', '=', 'build.deleted')
    .execute()
  assert.equal(entries.length, 451)
  assert.equal(new Set(entries.map(({ subject_id }) => subject_id)).size, 451)
})

test('does not expire a build that is added to a release during the run', async () => {
  const id = await nightly(31)
  const input = { title: 'Just now', ...version, build_ids: [] }
  const release = (await send('POST', '/releases', input)).body.data.id as string
  const { db } = service.deps
  const open = await db.startTransaction().execute()
  const row = { release_id: release, build_id: id, application_id: tenant.applicationId }
  await open.insertInto('release_builds').values(row).execute()
  await run()
  await open.commit().execute()
  assert.ok(await exists(id))
  await run()
  assert.ok(await exists(id))
})

test('either expires a build or accepts a concurrent release or share link for it, but not both', async () => {
  for (let round = 0; round < 12; round++) {
    const id = await nightly(31)
    const input = { title: 'Race', ...version, build_ids: [id] }
    const [response] = await Promise.all([
      round % 2 === 0 ? send('POST', '/releases', input) : send('POST', `/builds/${id}/share-links`, {}),
      run(),
    ])
    assert.ok([201, 404].includes(response.status), response.text)
    assert.equal(await exists(id), response.status === 201)
  }
})

test('does not expire builds after the clock jumps forward by more than a day', async () => {
  const id = await nightly(31)
  const clock = { ...service.deps.clock, jumpMs: () => 25 * 3_600_000 }
  await assert.rejects(trashExpiredBuilds({ ...service.deps, clock }), { code: 'clock.unsound' })
  assert.ok(await exists(id))
  await run()
  assert.ok(!(await exists(id)))
})

test('expires the remaining builds in a batch even if the file records of one build are missing', async () => {
  const [broken, whole] = [await nightly(33), await nightly(32)]
  await service.deps.db.deleteFrom('files').where('build_id', '=', broken).execute()
  await run()
  assert.ok(!(await exists(whole)))
})

test('stops expiring builds after the current batch when the service shuts down', async () => {
  // Builds that other tests left expired would be the current batch.
  await run()
  const first = await nightly(50)
  await copyBuild(service, first, 150)
  const { db } = service.deps
  await db
    .updateTable('builds')
    .set({ created_at: sql<string>`now() - interval '45 days'` })
    .where('application_id', '=', tenant.applicationId)
    .where('id', 'like', 'c%')
    // Its random ID may begin with the letter that the IDs of copies begin with.
    .where('id', '<>', first)
    .where('deleted_at', 'is', null)
    .execute()
  const last = await nightly(40)
  const stopping = new AbortController()
  await untilIdle(service)
  await trashExpiredBuilds({ ...service.deps, db: onTransaction(() => stopping.abort()) }, stopping.signal)
  assert.deepEqual([await exists(first), await exists(last)], [false, true])
  await run()
  assert.ok(!(await exists(last)))
})

/** Returns a database that calls `onBegin` whenever a transaction starts. */
function onTransaction(onBegin: () => void): Service['deps']['db'] {
  return new Proxy(service.deps.db, {
    get(target, name) {
      if (name === 'startTransaction') onBegin()
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('reads only the expired builds of a stream', async () => {
  const { db } = service.deps
  const id = await nightly(1)
  await copyBuild(service, id, 5_000)
  await sql`vacuum (analyze) builds`.execute(db)
  const { stream_id } = await db
    .selectFrom('builds')
    .select('stream_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const sent: { sql: string; parameters: readonly unknown[] }[] = []
  const recording: typeof db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log({ query }) {
      sent.push(query)
    },
  })
  await listExpiredBuilds(recording, stream_id, undefined, 100)
  const [statement] = sent
  assert.ok(statement)
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(
    CompiledQuery.raw(`explain (analyze, timing off) ${statement.sql}`, [...statement.parameters]),
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.doesNotMatch(plan, /Rows Removed by (Join )?Filter: \d{3}/)
})
