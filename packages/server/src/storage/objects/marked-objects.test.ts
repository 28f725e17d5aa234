import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ageObjects, purgeBuild } from '../../../test/aging.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { Problem } from '../../lib/problem.ts'
import type { StorageDriver } from '../driver.ts'
import { deleteMarkedObjects } from './delete-marked-objects.job.ts'
import { markAllUnreferencedObjects } from './mark-unreferenced.job.ts'
import { listReferences } from './marked-objects.db.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

async function uploadBuild() {
  const { build, bytes } = await uploadedBuild(service, tenant)
  const { object_key: key } = await service.deps.db
    .selectFrom('files')
    .select('object_key')
    .where('build_id', '=', build.id)
    .executeTakeFirstOrThrow()
  return { id: build.id as string, key, bytes }
}

/** Creates an object whose build was purged and whose grace period has ended. */
async function createOverdueObject(): Promise<string> {
  const { id, key } = await uploadBuild()
  await purgeBuild(service, id)
  await ageObjects(service, [key], 8)
  return key
}

const findRow = (key: string) =>
  service.deps.db.selectFrom('stored_objects').selectAll().where('key', '=', key).executeTakeFirst()

async function isOnDisk(key: string): Promise<boolean> {
  const { storage } = service.deps
  for await (const found of storage.listKeys({ unchangedSince: new Date(Date.now() + 3_600_000) }))
    if (found.key === key) return true
  return false
}

const withRemove = (remove: StorageDriver['remove']) => ({
  ...service.deps,
  storage: { ...service.deps.storage, remove },
})

test('finds every known column that references stored objects', async () => {
  const references = await listReferences(service.deps.db)
  const found = new Set(references.map(({ table, column }) => `${table}.${column}`))
  for (const known of [
    'applications.icon_object_key',
    'custom_targets.icon_object_key',
    'files.object_key',
    'metadata_artifacts.object_key',
    'portals.icon_object_key',
    'users.photo_object_key',
    'workspaces.logo_object_key',
  ])
    assert.ok(found.has(known), known)
})

test('deletes the bytes and the row in the next run if a crash occurs before the bytes are deleted', async () => {
  const key = await createOverdueObject()
  const powerCut = new Problem('unavailable', 'test.power_cut', 'cut')
  await assert.rejects(deleteMarkedObjects(withRemove(() => Promise.reject(powerCut))), powerCut)
  assert.ok((await findRow(key)) !== undefined && (await isOnDisk(key)))
  await deleteMarkedObjects(service.deps)
  assert.ok((await findRow(key)) === undefined && !(await isOnDisk(key)))
})

test('deletes the row in the next run if a crash occurs after the bytes are deleted', async () => {
  const key = await createOverdueObject()
  const cut = withRemove(async (object) => {
    await service.deps.storage.remove(object)
    throw new Problem('unavailable', 'test.power_cut', 'cut')
  })
  await assert.rejects(deleteMarkedObjects(cut), { code: 'test.power_cut' })
  assert.ok((await findRow(key)) !== undefined && !(await isOnDisk(key)))
  await deleteMarkedObjects(service.deps)
  assert.equal(await findRow(key), undefined)
})

test('deletes the other objects when an object cannot be deleted and retries it in the next run', async () => {
  const [stuck, other] = [await createOverdueObject(), await createOverdueObject()]
  const failing = withRemove(async (object) => {
    if (object.key === stuck) throw new Error('EIO')
    await service.deps.storage.remove(object)
  })
  await deleteMarkedObjects(failing)
  assert.deepEqual([(await findRow(stuck)) !== undefined, await findRow(other)], [true, undefined])
  await deleteMarkedObjects(service.deps)
  assert.equal(await findRow(stuck), undefined)
})

test('deletes every object without errors when several runs are concurrent', async () => {
  const keys = [await createOverdueObject(), await createOverdueObject(), await createOverdueObject()]
  await Promise.all(Array.from({ length: 4 }, () => deleteMarkedObjects(service.deps)))
  for (const key of keys) assert.ok((await findRow(key)) === undefined && !(await isOnDisk(key)))
})

test('unmarks an object that a build references instead of deleting it', async () => {
  const { id, key, bytes } = await uploadBuild()
  await ageObjects(service, [key], 8)
  await deleteMarkedObjects(service.deps)
  assert.equal((await findRow(key))?.deleted_at, null)
  const path = `/applications/${tenant.applicationId}/builds/${id}/download`
  const { body } = await service.call('GET', path, { key: tenant.applicationKey })
  const found = Buffer.from(await (await fetch(body.primary_file.temp_url)).arrayBuffer())
  assert.deepEqual(found, bytes)
})

test('marks for deletion only unreferenced objects older than 48 hours', async () => {
  const { db } = service.deps
  const referenced = await uploadBuild()
  const [old, recent, icon] = [randomUUID(), randomUUID(), randomUUID()]
  const rows = [old, recent, icon].map((key) => ({ key, size_bytes: 1, segments: '[]' }))
  await db.insertInto('stored_objects').values(rows).execute()
  await db
    .updateTable('stored_objects')
    .set({ created_at: '2026-01-01T00:00:00Z' })
    .where('key', 'in', [old, icon, referenced.key])
    .execute()
  await db
    .updateTable('applications')
    .set({ icon_object_key: icon })
    .where('id', '=', tenant.applicationId)
    .execute()
  await markAllUnreferencedObjects(service.deps)
  const marks = await Promise.all([old, recent, referenced.key, icon].map(findRow))
  assert.deepEqual(
    marks.map((found) => found?.deleted_at !== null),
    [true, false, false, false],
  )
})
