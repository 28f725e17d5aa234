import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '../src/deps.ts'
import { purgeOverdueApplications } from '../src/features/applications/purge-applications.job.ts'
import { trashExpiredBuilds } from '../src/features/builds/expire-builds.job.ts'
import { purgeOverdueBuilds } from '../src/features/builds/purge-builds.job.ts'
import { Problem } from '../src/lib/problem.ts'
import { deleteMarkedObjects } from '../src/storage/objects/delete-marked-objects.job.ts'
import { startOwnService, type Service } from './harness.ts'
import { uploadedBuild } from './uploading.ts'

let service: Service

before(async () => {
  service = await startOwnService()
})
after(() => service.close())

const longAgo = '2026-01-01T00:00:00Z'
const countedMethods = new Set(['selectFrom', 'updateTable', 'deleteFrom', 'startTransaction', 'getExecutor'])

/** Returns service dependencies that fail after this many database and disk operations. */
function failAfter(steps: number): Deps & { stepsTaken: () => number } {
  let count = 0
  const step = () => {
    if (++count > steps) throw new Problem('unavailable', 'test.power_cut', 'Power cut.')
  }
  const db = new Proxy(service.deps.db, {
    get(target, name) {
      if (typeof name === 'string' && countedMethods.has(name)) step()
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const remove: Deps['storage']['remove'] = async (object) => {
    step()
    await service.deps.storage.remove(object)
    step()
  }
  return { ...service.deps, db, storage: { ...service.deps.storage, remove }, stepsTaken: () => count }
}

/** Creates an expired build and an application due for purging, and backdates both. */
async function createOverdue() {
  const { db } = service.deps
  const [kept, deleted] = [await service.tenant(), await service.tenant()]
  const { build } = await uploadedBuild(service, kept, { stream: 'nightlies' })
  await uploadedBuild(service, deleted)
  await db.updateTable('builds').set({ created_at: longAgo }).where('id', '=', build.id).execute()
  await db
    .updateTable('applications')
    .set({ deleted_at: longAgo })
    .where('id', '=', deleted.applicationId)
    .execute()
}

async function removeAll(deps: Deps): Promise<void> {
  const { db } = service.deps
  await trashExpiredBuilds(deps)
  await db.updateTable('builds').set({ deleted_at: longAgo }).where('deleted_at', 'is not', null).execute()
  await purgeOverdueBuilds(deps)
  await purgeOverdueApplications(deps)
  await db
    .updateTable('stored_objects')
    .set({ deleted_at: longAgo })
    .where('deleted_at', 'is not', null)
    .execute()
  await deleteMarkedObjects(deps)
}

async function sealedKeys(): Promise<string[]> {
  const keys: string[] = []
  const unchangedSince = new Date(Date.now() + 3_600_000)
  for await (const { key, state } of service.deps.storage.listKeys({ unchangedSince }))
    if (state === 'sealed') keys.push(key)
  return keys.toSorted()
}

async function referencedKeys(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select object_key as key from files union select object_key from metadata_artifacts`.execute(
    service.deps.db,
  )
  return rows.map(({ key }) => key).toSorted()
}

async function storedKeys(): Promise<string[]> {
  const rows = await service.deps.db.selectFrom('stored_objects').select('key').execute()
  return rows.map(({ key }) => key).toSorted()
}

test('completes a purge that was interrupted after any step and deletes no referenced objects', async () => {
  await createOverdue()
  const uninterrupted = failAfter(Number.POSITIVE_INFINITY)
  await removeAll(uninterrupted)
  assert.ok(uninterrupted.stepsTaken() > 20, String(uninterrupted.stepsTaken()))
  for (let steps = 0; steps < uninterrupted.stepsTaken(); steps++) {
    await createOverdue()
    await assert.rejects(removeAll(failAfter(steps)), { code: 'test.power_cut' })
    const onDisk = new Set(await sealedKeys())
    assert.ok(
      (await referencedKeys()).every((key) => onDisk.has(key)),
      `after ${steps} steps`,
    )
    await removeAll(service.deps)
    assert.deepEqual(await storedKeys(), await referencedKeys())
    assert.deepEqual(await sealedKeys(), await referencedKeys())
    assert.deepEqual(
      await service.deps.db.selectFrom('builds').select('id').execute(),
      [],
      `after ${steps} steps`,
    )
  }
})
