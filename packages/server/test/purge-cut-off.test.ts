import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '../src/deps.ts'
import { purgeOverdueApplications } from '../src/features/applications/purge-applications.job.ts'
import { trashExpiredBuilds } from '../src/features/builds/expire-builds.job.ts'
import { purgeOverdueBuilds } from '../src/features/builds/purge-builds.job.ts'
import { Problem } from '../src/lib/problem.ts'
import { removeDeletedObjects } from '../src/storage/remove-deleted.job.ts'
import { startService, type Service } from './harness.ts'
import { uploadedBuild } from './uploading.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const long = '2026-01-01T00:00:00Z'
const starts = new Set(['selectFrom', 'updateTable', 'deleteFrom', 'startTransaction', 'getExecutor'])

/** The service's parts until so many steps have begun, on the database or the disk: then nothing answers any more. */
function cutAfter(steps: number): Deps & { taken: () => number } {
  let count = 0
  const step = () => {
    if (++count > steps) throw new Problem('unavailable', 'test.power_cut', 'cut')
  }
  const db = new Proxy(service.deps.db, {
    get(target, name) {
      if (typeof name === 'string' && starts.has(name)) step()
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const remove: Deps['storage']['remove'] = async (object) => {
    step()
    await service.deps.storage.remove(object)
    step()
  }
  return { ...service.deps, db, storage: { ...service.deps.storage, remove }, taken: () => count }
}

/** One build that retention takes and an application whose days are over; all that time takes, as if it had passed. */
async function aging() {
  const { db } = service.deps
  const [kept, gone] = [await service.tenant(), await service.tenant()]
  const { build } = await uploadedBuild(service, kept, { stream: 'nightlies' })
  await uploadedBuild(service, gone)
  await db.updateTable('builds').set({ created_at: long }).where('id', '=', build.id).execute()
  await db
    .updateTable('applications')
    .set({ deleted_at: long })
    .where('id', '=', gone.applicationId)
    .execute()
}

async function removeAll(deps: Deps): Promise<void> {
  const { db } = service.deps
  await trashExpiredBuilds(deps)
  await db.updateTable('builds').set({ deleted_at: long }).where('deleted_at', 'is not', null).execute()
  await purgeOverdueBuilds(deps)
  await purgeOverdueApplications(deps)
  await db
    .updateTable('stored_objects')
    .set({ deleted_at: long })
    .where('deleted_at', 'is not', null)
    .execute()
  await removeDeletedObjects(deps)
}

async function sealedKeys(): Promise<string[]> {
  const keys: string[] = []
  const unchangedSince = new Date(Date.now() + 3_600_000)
  for await (const { key, state } of service.deps.storage.listKeys({ unchangedSince }))
    if (state === 'sealed') keys.push(key)
  return keys.toSorted()
}

/** Keys that builds and artifacts refer to: all of them must have bytes. */
async function usedKeys(): Promise<string[]> {
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

test('cut off after every step there is, no row without its bytes, and the next run finishes all of it', async () => {
  await aging()
  const whole = cutAfter(Number.POSITIVE_INFINITY)
  await removeAll(whole)
  assert.ok(whole.taken() > 20, String(whole.taken()))
  for (let steps = 0; steps < whole.taken(); steps++) {
    await aging()
    await assert.rejects(removeAll(cutAfter(steps)), { code: 'test.power_cut' })
    const onDisk = new Set(await sealedKeys())
    assert.ok(
      (await usedKeys()).every((key) => onDisk.has(key)),
      `after ${steps} steps`,
    )
    await removeAll(service.deps)
    assert.deepEqual(await storedKeys(), await usedKeys())
    assert.deepEqual(await sealedKeys(), await usedKeys())
    assert.deepEqual(
      await service.deps.db.selectFrom('builds').select('id').execute(),
      [],
      `after ${steps} steps`,
    )
  }
})
