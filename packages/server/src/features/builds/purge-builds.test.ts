import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ageBuild, ageObjects } from '../../../test/aging.ts'
import { auditEntry } from '../../../test/audit.ts'
import { copyBuild } from '../../../test/copy-builds.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, uploadedBuild } from '../../../test/uploading.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { deleteMarkedObjects } from '../../storage/objects/delete-marked-objects.job.ts'
import { sweepOrphanedBytes } from '../uploads/sweep-orphans.job.ts'
import { purgeOverdueBuilds } from './purge-builds.job.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const send = (owner: Tenant, method: string, path: string, body?: unknown) =>
  service.call(method, `/applications/${owner.applicationId}${path}`, { key: owner.applicationKey, body })

const purge = () => purgeOverdueBuilds(service.deps)

async function usage({ applicationId, workspaceKey: key }: Tenant): Promise<number> {
  const { body } = await service.call('GET', `/applications/${applicationId}`, { key })
  return body.data.storage_usage.total_bytes
}

async function artifact({ applicationKey: key }: Tenant, build_id: string, bytes: Buffer): Promise<string> {
  const input = { build_id, filename: 'notes.txt', size_bytes: bytes.length }
  const { body } = await service.call('POST', '/upload/metadata/request', { key, body: input })
  await put(body.presigned_upload_data, bytes)
  const verify = { pending_upload_id: body.metadata_pending_upload_id }
  return (await service.call('POST', '/upload/metadata/verify', { key, body: verify })).body
    .metadata_artifact_id
}

const keysOf = async (id: string) =>
  (
    await service.deps.db
      .selectFrom('files')
      .select('object_key')
      .where('build_id', '=', id)
      .union(service.deps.db.selectFrom('metadata_artifacts').select('object_key').where('build_id', '=', id))
      .execute()
  ).map(({ object_key }) => object_key)

const objects = (keys: string[]) =>
  service.deps.db.selectFrom('stored_objects').selectAll().where('key', 'in', keys).execute()

/** Returns the keys of all sealed objects on disk, including those just written. */
async function storedKeys(): Promise<Set<string>> {
  const keys = new Set<string>()
  const unchangedSince = new Date(Date.now() + 3_600_000)
  for await (const { key, state } of service.deps.storage.listKeys({ unchangedSince }))
    if (state === 'sealed') keys.add(key)
  return keys
}

test('purges a build and its references only after seven days in the trash', async () => {
  const owner = await service.tenant()
  const [purged, kept] = [
    (await uploadedBuild(service, owner, { labels: ['mark'] })).build,
    (await uploadedBuild(service, owner)).build,
  ]
  await artifact(owner, purged.id, randomBytes(100))
  const version = {
    version_component_1_major: 1,
    version_component_2_minor: 0,
    version_component_3_patch: 0,
  }
  const input = { title: 'One', ...version, build_ids: [purged.id, kept.id] }
  const release = (await send(owner, 'POST', '/releases', input)).body.data.id as string
  const link = (await send(owner, 'POST', `/builds/${purged.id}/share-links`, {})).body.data
  const open = await service.call('POST', `${link.url.slice(link.url.indexOf('/api/v1') + 7)}/downloads`, {
    key: null,
    body: {},
  })
  assert.equal(open.status, 200, open.text)
  const file = await service.deps.db
    .selectFrom('files')
    .select('id')
    .where('build_id', '=', purged.id)
    .executeTakeFirstOrThrow()
  await service.deps.db
    .updateTable('downloads')
    .set({ file_id: file.id })
    .where('build_id', '=', purged.id)
    .execute()
  assert.equal(await usage(owner), 1024 + 1024 + 100)
  for (const { id } of [purged, kept]) await send(owner, 'DELETE', `/builds/${id}`)
  const keys = await keysOf(purged.id)
  assert.equal(keys.length, 2)
  await ageBuild(service, purged.id, { inTrashDays: 7 + 1 / 86_400 })
  await ageBuild(service, kept.id, { inTrashDays: 7 - 60 / 86_400 })
  const overdue = await send(owner, 'POST', `/builds/${purged.id}/restore`)
  assert.deepEqual([overdue.status, overdue.body.code], [410, 'build.expired'])
  await purge()
  assert.equal((await send(owner, 'POST', `/builds/${purged.id}/restore`)).status, 404)
  assert.equal((await send(owner, 'POST', `/builds/${kept.id}/restore`)).status, 200)
  assert.equal(await usage(owner), 1024)
  assert.ok((await objects(keys)).every(({ deleted_at }) => deleted_at !== null))
  const { body } = await send(owner, 'GET', `/releases/${release}`)
  assert.deepEqual(
    body.data.builds.map(({ id }: { id: string }) => id),
    [kept.id],
  )
  const entry = await auditEntry(service, purged.id)
  assert.deepEqual([entry.action, entry.actor_kind, entry.actor_name], ['build.purged', 'system', 'Trash'])
  assert.equal((entry.before as { version: string }).version, '1.2.3')
  for (const table of ['pending_uploads', 'downloads', 'share_links', 'release_builds', 'files'] as const) {
    const rows = await service.deps.db
      .selectFrom(table)
      .selectAll()
      .where('build_id', '=', purged.id)
      .execute()
    assert.deepEqual(rows, [], table)
  }
})

test('deletes the objects of a purged build and their database rows only after seven days', async () => {
  const owner = await service.tenant()
  const { build } = await uploadedBuild(service, owner)
  const [key] = await keysOf(build.id)
  await ageBuild(service, build.id, { inTrashDays: 8 })
  await purge()
  const storage = {
    ...service.deps.storage,
    listKeys: () => service.deps.storage.listKeys({ unchangedSince: new Date(Date.now() + 3_600_000) }),
  }
  await sweepOrphanedBytes({ ...service.deps, storage })
  await ageObjects(service, [key!], 7 - 60 / 86_400)
  await deleteMarkedObjects(service.deps)
  assert.ok((await storedKeys()).has(key!))
  await ageObjects(service, [key!], 7 + 1 / 86_400)
  await deleteMarkedObjects(service.deps)
  assert.ok(!(await storedKeys()).has(key!))
  assert.deepEqual(await objects([key!]), [])
})

test('deletes the stored object of a deleted metadata artifact but keeps the files of its build', async () => {
  const owner = await service.tenant()
  const { build } = await uploadedBuild(service, owner)
  const buildKeys = await keysOf(build.id)
  const id = await artifact(owner, build.id, randomBytes(50))
  const key = (await keysOf(build.id)).find((each) => !buildKeys.includes(each))
  await send(owner, 'DELETE', `/builds/${build.id}/metadata/${id}`)
  assert.equal(await usage(owner), 1024)
  await ageObjects(service, [key!], 8)
  await deleteMarkedObjects(service.deps)
  const stored = await storedKeys()
  assert.deepEqual([stored.has(key!), stored.has(buildKeys[0]!)], [false, true])
})

test('purges each build exactly once when several runs are concurrent', async () => {
  const owner = await service.tenant()
  const { build } = await uploadedBuild(service, owner)
  await copyBuild(service, build.id, 1_050)
  const { db } = service.deps
  await db
    .updateTable('builds')
    .set({ deleted_at: '2026-01-01T00:00:00Z' })
    .where('application_id', '=', owner.applicationId)
    .execute()
  await Promise.all([purge(), purge(), purge()])
  assert.equal(await usage(owner), 0)
  const entries = await db
    .selectFrom('audit_entries')
    .select('subject_id')
    .where('application_id', '=', owner.applicationId)
    .where('action', '=', 'build.purged')
    .execute()
  assert.equal(entries.length, 1_051)
  assert.equal(new Set(entries.map(({ subject_id }) => subject_id)).size, 1_051)
})

test('purges a build that has thousands of download records', async () => {
  const owner = await service.tenant()
  const { build } = await uploadedBuild(service, owner)
  const { db } = service.deps
  const columns = { workspace_id: owner.workspaceId, application_id: owner.applicationId, build_id: build.id }
  const rows = Array.from({ length: 5_100 }, () => ({ id: uuidV7(), ...columns, channel: 'api' }))
  await db.insertInto('downloads').values(rows).execute()
  await ageBuild(service, build.id, { inTrashDays: 8 })
  await purge()
  assert.equal((await send(owner, 'POST', `/builds/${build.id}/restore`)).status, 404)
  const left = await db.selectFrom('downloads').select('id').where('build_id', '=', build.id).execute()
  assert.deepEqual(left, [])
})

test('does not purge a build that is locked by a concurrent restore', async () => {
  const owner = await service.tenant()
  const { build } = await uploadedBuild(service, owner)
  await ageBuild(service, build.id, { inTrashDays: 8 })
  const { db } = service.deps
  const open = await db.startTransaction().execute()
  await open.updateTable('builds').set({ deleted_at: null }).where('id', '=', build.id).execute()
  await purge()
  await open.commit().execute()
  await purge()
  assert.equal((await send(owner, 'GET', `/builds/${build.id}`)).status, 200)
})

test('either fully restores or fully purges a build when the two operations run concurrently', async () => {
  const owner = await service.tenant()
  for (let round = 0; round < 10; round++) {
    const { build } = await uploadedBuild(service, owner)
    await ageBuild(service, build.id, { inTrashDays: 7 - 0.02 / 86_400 })
    const [response] = await Promise.all([
      send(owner, 'POST', `/builds/${build.id}/restore`),
      (async () => {
        for (let run = 0; run < 4; run++) await purge()
      })(),
    ])
    await purge()
    assert.ok([200, 404, 410].includes(response.status), response.text)
    const download = await send(owner, 'GET', `/builds/${build.id}/download`)
    assert.equal(download.status === 200, response.status === 200)
  }
})

test('does not purge builds or delete objects after the clock jumps back by more than a day', async () => {
  const owner = await service.tenant()
  const { build } = await uploadedBuild(service, owner)
  await ageBuild(service, build.id, { inTrashDays: 8 })
  const clock = { ...service.deps.clock, jumpMs: () => -25 * 3_600_000 }
  const withSkew = { ...service.deps, clock }
  await assert.rejects(purgeOverdueBuilds(withSkew), { code: 'clock.unsound' })
  await assert.rejects(deleteMarkedObjects(withSkew), { code: 'clock.unsound' })
  const row = await service.deps.db.selectFrom('builds').select('id').where('id', '=', build.id).execute()
  assert.equal(row.length, 1)
})
