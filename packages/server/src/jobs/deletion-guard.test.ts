import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { ageObjects } from '../../test/aging.ts'
import { startOwnService, type Service } from '../../test/harness.ts'
import { recordingLog } from '../../test/recording-log.ts'
import { deleteMarkedObjects } from '../storage/objects/delete-marked-objects.job.ts'
import { markAllUnreferencedObjects } from '../storage/objects/mark-unreferenced.job.ts'

let service: Service

before(async () => {
  service = await startOwnService()
})
after(() => service.close())

test('marks no objects for deletion when too many stored files are unreferenced', async () => {
  const { db } = service.deps
  const keys = Array.from({ length: 6 }, () => randomUUID())
  await db
    .insertInto('stored_objects')
    .values(keys.map((key) => ({ key, size_bytes: 1, segments: '[]', created_at: '2026-01-01T00:00:00Z' })))
    .execute()
  const markedCount = async () =>
    (await db.selectFrom('stored_objects').select('key').where('deleted_at', 'is not', null).execute()).length
  const { log, lines } = recordingLog()
  await markAllUnreferencedObjects({ ...service.deps, log })
  assert.deepEqual([await markedCount(), lines.map(({ level }) => level)], [0, ['error']])
  await db.deleteFrom('stored_objects').where('key', '=', keys[0]!).execute()
  await markAllUnreferencedObjects(service.deps)
  assert.equal(await markedCount(), 5, 'five unreferenced files are normal')
  await ageObjects(service, keys, 8)
  await deleteMarkedObjects(service.deps)
  assert.equal(await markedCount(), 0)
})

test('pauses deletion for 24 hours of uptime after the service starts with a clock 40 days ahead', async () => {
  // Backdating the recorded clock time has the same effect as setting the database clock ahead.
  const setRecorded = (values: { seconds: number; paused?: number }) =>
    sql`update installation set clock_seen_at = now() - make_interval(secs => ${values.seconds}),
      deletion_paused_seconds = coalesce(${values.paused ?? null}, deletion_paused_seconds)`.execute(
      service.deps.db,
    )
  const isAllowed = () =>
    deleteMarkedObjects(service.deps).then(
      () => true,
      (error: { code: string }) => error.code !== 'clock.unsound',
    )
  assert.ok(await isAllowed())
  await setRecorded({ seconds: 40 * 86_400 })
  const { log, lines } = recordingLog()
  await assert.rejects(deleteMarkedObjects({ ...service.deps, log }), { code: 'clock.unsound' })
  assert.match(JSON.stringify(lines), /pause until the service has run for a day/)
  await service.stop()
  service = await startOwnService({ state: service.state })
  assert.equal(await isAllowed(), false, 'a restart does not end the pause')
  await setRecorded({ seconds: 20 * 3_600 })
  assert.equal(await isAllowed(), false, 'hours without the service do not count as uptime')
  await setRecorded({ seconds: 300, paused: 301 })
  assert.equal(await isAllowed(), false)
  await setRecorded({ seconds: 300 })
  assert.ok(await isAllowed(), '24 hours of uptime have passed')
  await setRecorded({ seconds: -40 * 86_400 })
  assert.equal(await isAllowed(), false, 'setting the clock back also pauses deletion')
})
