import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ageBuild, ageObjects } from '../../test/aging.ts'
import { startService, type Service, type Tenant } from '../../test/harness.ts'
import { uploadedBuild } from '../../test/uploading.ts'
import { purgeOverdueBuilds } from '../features/builds/purge-builds.job.ts'
import { Problem } from '../lib/problem.ts'
import { listReferences } from './deleted-objects.db.ts'
import type { StorageDriver } from './driver.ts'
import { markForgottenObjects } from './mark-forgotten.job.ts'
import { removeDeletedObjects } from './remove-deleted.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

async function built() {
  const { build, bytes } = await uploadedBuild(service, tenant)
  const { object_key: key } = await service.deps.db
    .selectFrom('files')
    .select('object_key')
    .where('build_id', '=', build.id)
    .executeTakeFirstOrThrow()
  return { id: build.id as string, key, bytes }
}

/** An object whose build was purged, its time of grace over. */
async function overdue(): Promise<string> {
  const { id, key } = await built()
  await ageBuild(service, id, { inTrashDays: 8 })
  await purgeOverdueBuilds(service.deps)
  await ageObjects(service, [key], 8)
  return key
}

const row = (key: string) =>
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

test('every table that refers to stored objects is found in the catalogue', async () => {
  const references = await listReferences(service.deps.db)
  const found = new Set(references.map(({ table, column }) => `${table}.${column}`))
  for (const known of [
    'applications.icon_object_key',
    'custom_targets.icon_object_key',
    'files.object_key',
    'metadata_artifacts.object_key',
    'portals.icon_object_key',
    'workspaces.logo_object_key',
  ])
    assert.ok(found.has(known), known)
})

test('the power goes before the bytes do, the next run drops both', async () => {
  const key = await overdue()
  const dead = new Problem('unavailable', 'test.power_cut', 'cut')
  await assert.rejects(removeDeletedObjects(withRemove(() => Promise.reject(dead))), dead)
  assert.ok((await row(key)) !== undefined && (await isOnDisk(key)))
  await removeDeletedObjects(service.deps)
  assert.ok((await row(key)) === undefined && !(await isOnDisk(key)))
})

test('the power goes after the bytes and before their row, the next run drops the row', async () => {
  const key = await overdue()
  const cut = withRemove(async (object) => {
    await service.deps.storage.remove(object)
    throw new Problem('unavailable', 'test.power_cut', 'cut')
  })
  await assert.rejects(removeDeletedObjects(cut), { code: 'test.power_cut' })
  assert.ok((await row(key)) !== undefined && !(await isOnDisk(key)))
  await removeDeletedObjects(service.deps)
  assert.equal(await row(key), undefined)
})

test('one object whose bytes cannot be dropped, the others go and it is tried again', async () => {
  const [stuck, other] = [await overdue(), await overdue()]
  const failing = withRemove(async (object) => {
    if (object.key === stuck) throw new Error('EIO')
    await service.deps.storage.remove(object)
  })
  await removeDeletedObjects(failing)
  assert.deepEqual([(await row(stuck)) !== undefined, await row(other)], [true, undefined])
  await removeDeletedObjects(service.deps)
  assert.equal(await row(stuck), undefined)
})

test('four runs at once, each object goes once and none fails', async () => {
  const keys = [await overdue(), await overdue(), await overdue()]
  await Promise.all(Array.from({ length: 4 }, () => removeDeletedObjects(service.deps)))
  for (const key of keys) assert.ok((await row(key)) === undefined && !(await isOnDisk(key)))
})

test('marked although a build refers to it, the bytes stay and the mark goes', async () => {
  const { id, key, bytes } = await built()
  await ageObjects(service, [key], 8)
  await removeDeletedObjects(service.deps)
  assert.equal((await row(key))?.deleted_at, null)
  const path = `/applications/${tenant.applicationId}/builds/${id}/download`
  const { body } = await service.call('GET', path, { key: tenant.applicationKey })
  const found = Buffer.from(await (await fetch(body.primary_file.temp_url)).arrayBuffer())
  assert.deepEqual(found, bytes)
})

test('an object that no row refers to for two days, it is marked; what is used or new is not', async () => {
  const { db } = service.deps
  const used = await built()
  const [old, young] = ['f0000000-0000-7000-8000-000000000001', 'f0000000-0000-7000-8000-000000000002']
  const object = { size_bytes: 1, segments: '[]' }
  await db
    .insertInto('stored_objects')
    .values([
      { key: old, ...object, created_at: '2026-01-01T00:00:00Z' },
      { key: young, ...object },
    ])
    .execute()
  await db
    .updateTable('stored_objects')
    .set({ created_at: '2026-01-01T00:00:00Z' })
    .where('key', '=', used.key)
    .execute()
  const icon = 'f0000000-0000-7000-8000-000000000003'
  await db
    .insertInto('stored_objects')
    .values({ key: icon, ...object, created_at: '2026-01-01T00:00:00Z' })
    .execute()
  await db
    .updateTable('applications')
    .set({ icon_object_key: icon })
    .where('id', '=', tenant.applicationId)
    .execute()
  await markForgottenObjects(service.deps)
  const marks = await Promise.all([old, young, used.key, icon].map(row))
  assert.deepEqual(
    marks.map((found) => found?.deleted_at !== null),
    [true, false, false, false],
  )
})
