import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { startOwnService, type Service, type Tenant } from '../../../../test/harness.ts'
import { until } from '../../../../test/until.ts'
import { uploadedBuild } from '../../../../test/uploading.ts'
import { inTransaction } from '../../../database/transaction.ts'
import {
  emptyInspection,
  InspectionError,
  unknownPackage,
  type Inspection,
} from '../../../inspection/inspection.ts'
import type { Inspector } from '../../../inspection/run-inspection.ts'
import { hasUnstartedJobs } from '../../../jobs/queue.db.ts'
import { rehashBuild } from '../files/hash-file.job.ts'
import { inspectBuild } from './inspect-build.job.ts'
import { inspectionReading } from './reinspect-build.ts'
import { countBuildsToReread, rereadBuilds } from './reread-builds.job.ts'

describe('reread builds', () => {
  let service: Service
  let tenant: Tenant

  before(async () => {
    service = await startOwnService()
    tenant = await service.tenant()
  })
  after(() => service.close())

  const neverStopping = new AbortController().signal
  const get = async (id: string) =>
    (
      await service.call('GET', `/applications/${tenant.applicationId}/builds/${id}`, {
        key: tenant.applicationKey,
      })
    ).body.data

  const inspected: Inspection = {
    ...emptyInspection,
    file_info: { ...unknownPackage, format: 'zip', name: 'Harbor', build_number: '77' },
  }

  type Reply = Inspection | Error
  /** Runs the job with an inspector that returns the reply for every file. Returns the file types that were inspected. */
  async function reread(reply: Reply = inspected, stopping = neverStopping, onInspect = () => {}) {
    const filetypes: string[] = []
    const inspector: Inspector = {
      async inspect(_source, filetype) {
        filetypes.push(filetype)
        onInspect()
        if (reply instanceof Error) throw reply
        return reply
      },
    }
    await rereadBuilds.handle({ ...service.deps, inspector }, {}, stopping)
    return filetypes
  }

  /** Makes the reading of a build outdated, as an upgrade to a version that reads more does. */
  const outdate = (ids: string[]) =>
    sql`update build_readings set version = 0, due_at = now() where build_id = any(${ids})`.execute(
      service.deps.db,
    )

  const versionOf = async (id: string) =>
    await service.deps.db
      .selectFrom('build_readings')
      .select(['version', sql<boolean>`due_at > now()`.as('is_postponed')])
      .where('build_id', '=', id)
      .where('kind', '=', 'inspection')
      .executeTakeFirstOrThrow()

  async function upload(filename = 'app.zip') {
    const { build } = await uploadedBuild(service, tenant, { primary_file: { filename } }, randomBytes(300))
    await until(
      'inspection',
      async () =>
        (
          await service.deps.db
            .selectFrom('builds')
            .select('processing')
            .where('id', '=', build.id)
            .executeTakeFirst()
        )?.processing !== 'queued',
    )
    await rehashBuild(service.deps, build.id, neverStopping)
    return build.id as string
  }

  const eventsOf = async (id: string) =>
    (
      await sql<{
        name: string
      }>`select name from events where data -> 'build' ->> 'id' = ${id} order by id`.execute(service.deps.db)
    ).rows.map(({ name }) => name)

  const feedPosition = async (id: string) =>
    (
      await service.deps.db
        .selectFrom('changes')
        .select('position')
        .where('resource_id', '=', id)
        .executeTakeFirst()
    )?.position

  beforeEach(async () => {
    await sql`update build_readings set version = ${inspectionReading.version}`.execute(service.deps.db)
  })

  test('adds what a newer version reads to existing builds without an event or a new time', async () => {
    const id = await upload()
    const [before, events] = [await get(id), await eventsOf(id)]
    await outdate([id])
    assert.deepEqual(await reread(), ['zip'])
    const after = await get(id)
    assert.deepEqual(after.file_info, inspected.file_info)
    assert.deepEqual(
      [after.updated_at, after.processing_error, await eventsOf(id)],
      [before.updated_at, null, events],
    )
    assert.equal((await versionOf(id)).version, inspectionReading.version)
    const position = await feedPosition(id)
    await outdate([id])
    await reread()
    assert.equal(await feedPosition(id), position, 'a build that did not change is not listed again')
    assert.deepEqual(await reread(), [])
  })

  test('keeps the metadata if the file cannot be read again, and the build number that a user has cleared', async () => {
    const id = await upload()
    await outdate([id])
    await reread()
    await service.deps.db.updateTable('builds').set({ build_number: null }).where('id', '=', id).execute()
    const before = await get(id)
    await outdate([id])
    await reread(new InspectionError('The file is damaged.'))
    assert.deepEqual(await get(id), before)
    assert.equal((await versionOf(id)).version, inspectionReading.version)
    await outdate([id])
    await reread({
      ...inspected,
      file_info: { ...unknownPackage, format: 'zip', name: 'Harbor 2', build_number: '78' },
    })
    const after = await get(id)
    assert.deepEqual([after.file_info.name, after.build_number], ['Harbor 2', null])
  })

  test('tries again later if the storage fails', async () => {
    const id = await upload()
    const before = await get(id)
    await outdate([id])
    await reread(new Error('the storage does not respond'))
    assert.deepEqual([await get(id), await versionOf(id)], [before, { version: 0, is_postponed: true }])
    assert.deepEqual(await reread(), [])
    await outdate([id])
    await reread()
    assert.deepEqual((await get(id)).file_info, inspected.file_info)
  })

  test('counts the builds that wait for a newer version, and those that it could not read', async () => {
    const [failing, waiting] = [await upload(), await upload()]
    await outdate([failing])
    await reread(new Error('the storage does not respond'))
    await outdate([waiting])
    const counts = await countBuildsToReread(service.deps.db)
    assert.equal(counts.find(({ kind }) => kind === 'inspection')?.count, 2)
  })

  test('inspects builds whose type earlier versions did not know, and skips types that it cannot inspect', async () => {
    const { db } = service.deps
    const [known, renamed, other] = [await upload('a.zip'), await upload('b.zip'), await upload('c.7z')]
    await db
      .updateTable('builds')
      .set({ processing: 'none', processing_error: null, file_info: null })
      .where('id', 'in', [known, renamed])
      .execute()
    await db.updateTable('files').set({ filetype: 'none' }).where('build_id', '=', renamed).execute()
    await outdate([known, renamed, other])
    assert.deepEqual(await reread(), ['zip', 'zip'])
    for (const id of [known, renamed]) {
      const build = await get(id)
      assert.deepEqual([build.file_info, build.build_number], [inspected.file_info, '77'])
      assert.equal(build.primary_file.filetype.identifier, 'zip')
      const processed = (await eventsOf(id)).filter((name) => name === 'build.processed')
      assert.equal(processed.length, 1, 'the event of the first inspection')
    }
    assert.equal((await versionOf(other)).version, inspectionReading.version)
  })

  test('continues after a restart, and two nodes inspect each build once', async () => {
    const ids = [await upload(), await upload(), await upload(), await upload()]
    await outdate(ids)
    const stopping = new AbortController()
    assert.equal((await reread(inspected, stopping.signal, () => stopping.abort())).length, 1)
    const rest = await Promise.all([reread(), reread()])
    assert.equal(rest.flat().length, 3)
    for (const id of ids) assert.equal((await versionOf(id)).version, inspectionReading.version)
  })

  /** Enqueues an inspection, and calls `work` while the job is due but cannot be started. */
  async function whileInspectionWaits(buildId: string, work: () => Promise<void>): Promise<void> {
    const { db, queue } = service.deps
    await inTransaction(db, async (tx) => {
      await queue.enqueue(tx, inspectBuild, { buildId })
      await sql`update pgboss.job set start_after = now() + interval '4 s'
      where name = ${inspectBuild.name} and data ->> 'buildId' = ${buildId}`.execute(tx)
    })
    await inTransaction(db, async (tx) => {
      // Workers skip locked jobs.
      await sql`select from pgboss.job where name = ${inspectBuild.name} and data ->> 'buildId' = ${buildId}
      for update`.execute(tx)
      await until('the job is due', () => hasUnstartedJobs(db, inspectBuild.name))
      await work()
    })
  }

  const outdateChecksums = async (id: string) => {
    const missing = { checksum_sha1: null, checksum_sha512: null }
    await service.deps.db.updateTable('files').set(missing).where('build_id', '=', id).execute()
    await outdate([id])
  }

  test('leaves the inspector to new builds, but not the checksums', async () => {
    const id = await upload()
    await outdateChecksums(id)
    await whileInspectionWaits(id, async () => {
      assert.deepEqual(await reread(), [], 'new builds are inspected first')
      assert.equal((await versionOf(id)).version, 0)
      assert.match((await get(id)).primary_file.checksum_sha512, /^[0-9a-f]{128}$/)
    })
    await until(
      'the inspection of the new build',
      async () => !(await hasUnstartedJobs(service.deps.db, inspectBuild.name)),
    )
    assert.deepEqual(await reread(), ['zip'])
  })

  test('does not wait for a new build whose inspection is stuck', async () => {
    const [stuck, other] = [await upload(), await upload()]
    await service.deps.db
      .updateTable('builds')
      .set({ processing: 'queued' })
      .where('id', '=', stuck)
      .execute()
    await outdate([stuck, other])
    assert.deepEqual(await reread(), ['zip'])
    assert.deepEqual(
      [(await versionOf(stuck)).version, (await versionOf(other)).version],
      [0, inspectionReading.version],
    )
  })

  test('fails a build whose type is only inspected now and that cannot be read, without an event', async () => {
    const { db } = service.deps
    const id = await upload('a.zip')
    const uninspected = { processing: 'none', processing_error: null, file_info: null }
    await db.updateTable('builds').set(uninspected).where('id', '=', id).execute()
    await db.updateTable('files').set({ filetype: 'none' }).where('build_id', '=', id).execute()
    const [before, events] = [await get(id), await eventsOf(id)]
    await outdate([id])
    await reread(new InspectionError('The file is damaged.'))
    const after = await get(id)
    assert.deepEqual([after.processing, after.processing_error], ['failed', 'The file is damaged.'])
    assert.equal(after.primary_file.filetype.identifier, 'zip')
    assert.deepEqual([after.updated_at, await eventsOf(id)], [before.updated_at, events])
    assert.equal((await versionOf(id)).version, inspectionReading.version)
  })
})
