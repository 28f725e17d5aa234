import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { ageBuild } from '../../../test/aging.ts'
import { auditEntry } from '../../../test/audit.ts'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { trashExpiredBuilds } from './expire-builds.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, of = tenant) =>
  service.call(method, `/applications/${of.applicationId}${path}`, { key: of.applicationKey, body })

const version = {
  version_component_1_major: 1,
  version_component_2_minor: 0,
  version_component_3_patch: 0,
}

const second = 1 / (24 * 60 * 60)

async function nightly(days: number, of = tenant): Promise<string> {
  const { build } = await uploadedBuild(service, of, { stream: 'nightlies' })
  await ageBuild(service, build.id, { days })
  return build.id
}

const isThere = async (id: string, of = tenant) =>
  (await send('GET', `/builds/${id}`, undefined, of)).status === 200

const run = () => trashExpiredBuilds(service.deps)

const eventCount = async (id: string) => {
  const rows = await service.deps.db
    .selectFrom('events')
    .select('data')
    .where('name', '=', 'build.deleted')
    .execute()
  return rows.filter(({ data }) => (data as { build: { id: string } }).build.id === id).length
}

test('days over by a second, it goes with entry and event; a minute before, it stays', async () => {
  const [over, under] = [await nightly(30 + second), await nightly(30 - 60 * second)]
  await run()
  assert.deepEqual([await isThere(over), await isThere(under)], [false, true])
  const entry = await auditEntry(service, over)
  assert.deepEqual(
    [entry.action, entry.actor_kind, entry.actor_name, entry.address],
    ['build.deleted', 'system', 'Retention', null],
  )
  assert.equal(await eventCount(over), 1)
  const path = `/workspace/audit-log?subject_id=${over}&action=build.deleted`
  const log = await service.call('GET', path, { key: tenant.workspaceKey })
  assert.deepEqual(log.body.data[0].actor, { kind: 'system', id: null, name: 'Retention' })
})

test('a stream without a limit, or whose limit was lifted a moment ago, nothing goes', async () => {
  const { build } = await uploadedBuild(service, tenant, { stream: 'stable' })
  await ageBuild(service, build.id, { days: 4000 })
  const of = await service.tenant()
  const lifted = await nightly(31, of)
  assert.equal((await send('PATCH', '/streams/nightlies', { retention_days: null }, of)).status, 200)
  await run()
  assert.deepEqual([await isThere(build.id), await isThere(lifted, of)], [true, true])
})

test('kept for ever, in a release, or under a link: it stays until the last reason is gone', async () => {
  const id = await nightly(31)
  await send('PATCH', `/builds/${id}`, { keep_forever: true })
  const wish = { title: 'One', ...version, build_ids: [id] }
  const release = (await send('POST', '/releases', wish)).body.data.id as string
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
    assert.ok(await isThere(id))
    await step()
  }
  await run()
  assert.ok(!(await isThere(id)))
})

test('restored, the answer says that it goes again, and the next run takes it once more', async () => {
  const id = await nightly(31)
  await run()
  const restored = await send('POST', `/builds/${id}/restore`)
  assert.equal(restored.status, 200)
  assert.match(restored.body.message, /set keep_forever/)
  await run()
  assert.ok(!(await isThere(id)))
  assert.equal((await send('POST', `/builds/${id}/restore`)).status, 200)
  await send('PATCH', `/builds/${id}`, { keep_forever: true })
  await run()
  assert.ok(await isThere(id))
  assert.equal(await eventCount(id), 2)
})

test('an application in the trash, its builds are left alone', async () => {
  const of = await service.tenant()
  const id = await nightly(31, of)
  const path = `/applications/${of.applicationId}`
  await service.call('DELETE', path, { key: of.workspaceKey })
  await run()
  await service.call('POST', `${path}/restore`, { key: of.workspaceKey })
  assert.ok(await isThere(id, of))
  await run()
  assert.ok(!(await isThere(id, of)))
})

test('two runs at once over many builds, each goes once', async () => {
  const of = await service.tenant()
  const { db } = service.deps
  const { build } = await uploadedBuild(service, of, { stream: 'nightlies' })
  await copyBuild(service, build.id, 450)
  await db
    .updateTable('builds')
    .set({ created_at: '2026-01-01T00:00:00Z' })
    .where('application_id', '=', of.applicationId)
    .execute()
  await Promise.all([run(), run(), run()])
  const { body } = await send('GET', '/builds', undefined, of)
  assert.equal(body.pagination.total, 0)
  const entries = await db
    .selectFrom('audit_entries')
    .select('subject_id')
    .where('application_id', '=', of.applicationId)
    .where('action', '=', 'build.deleted')
    .execute()
  assert.equal(entries.length, 451)
  assert.equal(new Set(entries.map(({ subject_id }) => subject_id)).size, 451)
})

test('put into a release while the run looks at it, it stays', async () => {
  const id = await nightly(31)
  const wish = { title: 'Just now', ...version, build_ids: [] }
  const release = (await send('POST', '/releases', wish)).body.data.id as string
  const { db } = service.deps
  const open = await db.startTransaction().execute()
  const row = { release_id: release, build_id: id, application_id: tenant.applicationId }
  await open.insertInto('release_builds').values(row).execute()
  await run()
  await open.commit().execute()
  assert.ok(await isThere(id))
  await run()
  assert.ok(await isThere(id))
})

test('a run and somebody who shares or releases the build at once, one of both wins cleanly', async () => {
  for (let round = 0; round < 12; round++) {
    const id = await nightly(31)
    const wish = { title: 'Race', ...version, build_ids: [id] }
    const [answer] = await Promise.all([
      round % 2 === 0 ? send('POST', '/releases', wish) : send('POST', `/builds/${id}/share-links`, {}),
      run(),
    ])
    assert.ok([201, 404].includes(answer.status), answer.text)
    assert.equal(await isThere(id), answer.status === 201)
  }
})

test('a clock that jumped a day, nothing goes', async () => {
  const id = await nightly(31)
  const clock = { now: () => new Date(), jumpMs: () => 25 * 3_600_000 }
  await assert.rejects(trashExpiredBuilds({ ...service.deps, clock }), { code: 'clock.unsound' })
  assert.ok(await isThere(id))
  await run()
  assert.ok(!(await isThere(id)))
})

test('a build whose files are lost, the others go all the same', async () => {
  const [broken, whole] = [await nightly(33), await nightly(32)]
  await service.deps.db.deleteFrom('files').where('build_id', '=', broken).execute()
  await run()
  assert.ok(!(await isThere(whole)))
})

test('the service ends in the middle of a run, the run stops after the builds it is at', async () => {
  const first = await nightly(50)
  await copyBuild(service, first, 150)
  const { db } = service.deps
  await db
    .updateTable('builds')
    .set({ created_at: sql<string>`now() - interval '45 days'` })
    .where('id', 'like', 'c%')
    .where('deleted_at', 'is', null)
    .execute()
  const last = await nightly(40)
  const stopping = new AbortController()
  await trashExpiredBuilds({ ...service.deps, db: onTransaction(() => stopping.abort()) }, stopping.signal)
  assert.deepEqual([await isThere(first), await isThere(last)], [false, true])
  await run()
  assert.ok(!(await isThere(last)))
})

/** The database, telling of each transaction that begins. */
function onTransaction(tell: () => void): Service['deps']['db'] {
  return new Proxy(service.deps.db, {
    get(target, name) {
      if (name === 'startTransaction') tell()
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
