import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ageBuild } from '../../../test/aging.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'
import { avoidMidnight } from '../../../test/utc-day.ts'
import { deleteBuilds } from '../builds/build-purge.db.ts'
import { deleteSomeOldStatistics, mergeSomeStatistics } from './statistics.db.ts'

describe('statistics', () => {
  let service: Service

  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(avoidMidnight)

  const statisticsOf = async ({ applicationId, applicationKey: key }: Tenant, days = 5) => {
    const response = await service.call('GET', `/applications/${applicationId}/statistics?days=${days}`, {
      key,
    })
    assert.equal(response.status, 200, response.text)
    return response.body.data
  }
  const workspaceStatisticsOf = async (key: string, days = 5) => {
    const response = await service.call('GET', `/workspace/statistics?days=${days}`, { key })
    assert.equal(response.status, 200, response.text)
    return response.body.data
  }
  const upload = async (tenant: Tenant, fields: Record<string, unknown>, bytes: number, ageDays = 0) => {
    const { build } = await uploadedBuild(service, tenant, fields, Buffer.alloc(bytes, 1))
    if (ageDays > 0) await ageBuild(service, build.id, { days: ageDays })
    return build
  }
  const download = async ({ applicationId, applicationKey: key }: Tenant, buildId: string, ageDays = 0) => {
    const path = `/applications/${applicationId}/builds/${buildId}/download`
    const response = await service.call('GET', path, { key })
    assert.ok([200, 302].includes(response.status), response.text)
    if (ageDays > 0)
      await service.deps.db
        .updateTable('downloads')
        .set({ created_at: sql<string>`now() - make_interval(days => ${ageDays}::int)` })
        .where('build_id', '=', buildId)
        .where(sql<boolean>`created_at > now() - interval '1 minute'`)
        .execute()
  }
  const purge = (id: string) =>
    service.deps.db.transaction().execute(async (tx) => {
      await sql`delete from downloads where build_id = ${id}`.execute(tx)
      await deleteBuilds(tx, [id])
    })
  /** Merges all rows, so that every value is read from merged rows. */
  const merge = async () => {
    while ((await mergeSomeStatistics(service.deps.db, 1_000)) > 0);
  }
  const countsOf = (series: { platform: { identifier: string }; counts: number[] }[]) =>
    Object.fromEntries(series.map(({ platform, counts }) => [platform.identifier, counts]))
  const bytesOf = (series: { stream: { name: string } | null; bytes: number[] }[]) =>
    Object.fromEntries(series.map(({ stream, bytes }) => [stream?.name ?? 'deleted', bytes]))
  const utcDay = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

  test('returns zeros for every day of an application without builds', async () => {
    const tenant = await service.tenant()
    const { days, uploads, upload_bytes, downloads, versions, channels, storage } = await statisticsOf(
      tenant,
      3,
    )
    assert.deepEqual(days, [utcDay(2), utcDay(1), utcDay(0)])
    const nothing = { total: 0, by_platform: [] }
    assert.deepEqual({ uploads, downloads }, { uploads: nothing, downloads: nothing })
    assert.deepEqual([versions, channels], [[], []])
    const noBytes = { total: 0, counts: [0, 0, 0] }
    assert.deepEqual(upload_bytes, { sent: noBytes, reused: noBytes })
    assert.deepEqual(storage, { stored_bytes: 0, by_stream: [], forecast: null })
    const { totals, applications } = await workspaceStatisticsOf(tenant.workspaceKey, 3)
    const zeros = [0, 0, 0]
    assert.deepEqual(
      [applications[0].uploads, applications[0].storage, totals.uploads],
      [zeros, zeros, zeros],
    )
    assert.deepEqual(applications[0].newest_builds, [])
  })

  test('counts the uploads of each day by platform, including purged builds', async () => {
    const tenant = await service.tenant()
    await upload(tenant, { platform: 'linux' }, 10)
    await upload(tenant, { platform: 'linux' }, 10, 1)
    const purged = await upload(tenant, { platform: 'windows', primary_file: { filename: 'a.exe' } }, 10, 3)
    await purge(purged.id)
    for (const state of ['new', 'merged']) {
      const { uploads } = await statisticsOf(tenant)
      assert.equal(uploads.total, 3, state)
      assert.deepEqual(countsOf(uploads.by_platform), { linux: [0, 0, 0, 1, 1], windows: [0, 1, 0, 0, 0] })
      await merge()
    }
    assert.equal((await statisticsOf(tenant, 1)).uploads.total, 1)
  })

  test('counts downloads by platform, channel and version, including those of purged builds', async () => {
    const tenant = await service.tenant()
    const builds = []
    for (let patch = 1; patch <= 10; patch++)
      builds.push(await upload(tenant, { platform: 'linux', ...versionOf(1, 0, patch) }, 10))
    for (const [index, { id }] of builds.entries())
      for (let n = 0; n <= index; n++) await download(tenant, id, index === 9 && n < 4 ? 2 : 0)
    const link = await service.call(
      'POST',
      `/applications/${tenant.applicationId}/builds/${builds[9].id}/share-links`,
      { key: tenant.applicationKey, body: {} },
    )
    const { id, url } = link.body.data
    const downloaded = await service.call('GET', `${url}/download`, { key: null })
    assert.equal(downloaded.status, 302, `${id} ${downloaded.text}`)
    await purge(builds[8].id)
    for (const state of ['new', 'merged']) {
      const { downloads, channels, versions } = await statisticsOf(tenant, 3)
      assert.equal(downloads.total, 56, state)
      assert.deepEqual(countsOf(downloads.by_platform), { linux: [4, 0, 52] })
      assert.deepEqual(
        channels.map(({ channel, total }: { channel: string; total: number }) => [channel, total]),
        [
          ['api', 55],
          ['share-link', 1],
        ],
      )
      assert.deepEqual(
        versions.map(({ version, total }: { version: string | null; total: number }) => [version, total]),
        [['1.0.10', 11], ...[9, 8, 7, 6, 5, 4, 3].map((patch) => [`1.0.${patch}`, patch]), [null, 3]],
      )
      assert.deepEqual(versions[0].counts, [4, 0, 7])
      await merge()
    }
  })

  test('lists versions with equal downloads in descending order, whenever they were downloaded', async () => {
    for (const patches of [
      [1, 2, 3],
      [3, 1, 2],
    ]) {
      const tenant = await service.tenant()
      for (const patch of patches) {
        const { id } = await upload(tenant, { platform: 'linux', ...versionOf(1, 0, patch) }, 10)
        await download(tenant, id)
      }
      const { versions } = await statisticsOf(tenant)
      assert.deepEqual(
        versions.map(({ version }: { version: string }) => version),
        ['1.0.3', '1.0.2', '1.0.1'],
      )
    }
  })

  test('reports the stored bytes of each day by stream when builds are moved and purged', async () => {
    const tenant = await service.tenant()
    const { applicationId, applicationKey: key } = tenant
    const move = (id: string, stream: string) =>
      service.call('PUT', `/applications/${applicationId}/builds/${id}/stream`, { key, body: { stream } })
    const old = await upload(tenant, { stream: 'nightlies' }, 1_000, 2)
    await upload(tenant, { stream: 'nightlies' }, 500, 10)
    const moved = await upload(tenant, { stream: 'nightlies' }, 100)
    assert.equal((await move(moved.id, 'stable')).status, 200)
    await purge(old.id)
    for (const state of ['new', 'merged']) {
      const { storage } = await statisticsOf(tenant, 4)
      assert.deepEqual(
        bytesOf(storage.by_stream),
        { nightlies: [500, 1_500, 1_500, 500], stable: [0, 0, 0, 100] },
        state,
      )
      assert.equal(storage.stored_bytes, 600)
      const { applications, totals } = await workspaceStatisticsOf(tenant.workspaceKey, 4)
      assert.deepEqual(applications[0].storage, [500, 1_500, 1_500, 600])
      assert.deepEqual([totals.storage, totals.stored_bytes], [applications[0].storage, 600])
      await merge()
    }
    const stored = await service.call('GET', `/applications/${applicationId}`, { key })
    assert.equal(stored.body.data.storage_usage.total_bytes, 600)
  })

  test('combines the history of deleted streams', async () => {
    const tenant = await service.tenant()
    const { applicationId, applicationKey: key } = tenant
    const at = `/applications/${applicationId}/streams`
    await service.call('POST', at, { key, body: { name: 'beta' } })
    await upload(tenant, { stream: 'beta' }, 700, 1)
    const deleted = await service.call('DELETE', `${at}/beta?move_to=nightlies`, { key })
    assert.equal(deleted.status, 200, deleted.text)
    const { storage } = await statisticsOf(tenant, 3)
    assert.deepEqual(bytesOf(storage.by_stream), { deleted: [0, 700, 0], nightlies: [0, 0, 700] })
  })

  test('deletes old counts and keeps the bytes that are still stored', async () => {
    const tenant = await service.tenant()
    const { id } = await upload(tenant, { platform: 'linux' }, 300, 450)
    await download(tenant, id, 440)
    await upload(tenant, { platform: 'linux' }, 20)
    const rows = () =>
      service.deps.db
        .selectFrom('daily_statistics')
        .select('kind')
        .where('application_id', '=', tenant.applicationId)
        .where(sql<boolean>`day < utc_day(now())`)
        .execute()
    await merge()
    assert.ok((await rows()).length >= 3)
    for (let night = 0; night < 2; night++) await deleteSomeOldStatistics(service.deps.db, 400, 1_000)
    assert.deepEqual(
      (await rows()).map(({ kind }) => kind),
      ['stored_bytes'],
    )
    assert.equal((await statisticsOf(tenant)).storage.stored_bytes, 320)
  })

  test('deletes the statistics of a purged application', async () => {
    const tenant = await service.tenant()
    await upload(tenant, { platform: 'linux' }, 10)
    await merge()
    await upload(tenant, { platform: 'linux' }, 10)
    const { db } = service.deps
    await db.deleteFrom('applications').where('id', '=', tenant.applicationId).execute()
    const left = db
      .selectFrom('daily_statistics')
      .select('id')
      .where('application_id', '=', tenant.applicationId)
    assert.deepEqual(await left.execute(), [])
  })

  test('summarizes the applications that the key can access, with the newest build of each platform', async () => {
    const tenant = await service.tenant()
    const other = await service.call('POST', '/applications', {
      key: tenant.workspaceKey,
      body: { name: 'A second application', platforms: ['linux'] },
    })
    assert.equal(other.status, 201, other.text)
    await upload(tenant, { platform: 'linux', ...versionOf(3) }, 10, 2)
    const linux = await upload(tenant, { platform: 'linux', ...versionOf(2) }, 10, 1)
    const generic = await upload(
      tenant,
      { platform: 'generic', ...versionOf(1), custom_build_number: '7' },
      10,
    )
    const trashed = await upload(tenant, { platform: 'generic', ...versionOf(4) }, 10)
    const path = `/applications/${tenant.applicationId}/builds/${trashed.id}`
    assert.equal((await service.call('DELETE', path, { key: tenant.applicationKey })).status, 200)

    const own = await workspaceStatisticsOf(tenant.applicationKey)
    assert.deepEqual(
      own.applications.map(({ id }: { id: string }) => id),
      [tenant.applicationId],
    )
    const [{ newest_builds, build_count, stored_bytes, uploads }] = own.applications
    assert.deepEqual([build_count, stored_bytes, uploads], [3, 40, [0, 0, 1, 1, 2]])
    assert.deepEqual(
      newest_builds.map(({ id, version, build_number }: Record<string, unknown>) => [
        id,
        version,
        build_number,
      ]),
      [
        [generic.id, '1.0.0', '7'],
        [linux.id, '2.0.0', linux.build_number],
      ],
    )
    const all = await workspaceStatisticsOf(tenant.workspaceKey)
    assert.deepEqual(
      all.applications.map(({ id }: { id: string }) => id),
      [other.body.data.id, tenant.applicationId],
    )
    assert.deepEqual(all.totals, { ...all.totals, application_count: 2, build_count: 3, stored_bytes: 40 })
    assert.equal(all.truncated, false)
  })

  test('lists at most 50 applications and includes the others in the totals', async () => {
    const tenant = await service.tenant()
    const { id } = await upload(tenant, { platform: 'linux' }, 10)
    await sql`insert into applications (id, workspace_id, name)
    select 'z' || substr(md5(${id} || n), 1, 11), ${tenant.workspaceId}, '0 ' || n from generate_series(1, 50) n`.execute(
      service.deps.db,
    )
    const { applications, truncated, totals } = await workspaceStatisticsOf(tenant.workspaceKey, 2)
    assert.equal(applications.length, 50)
    assert.ok(applications.every((one: { id: string }) => one.id !== tenant.applicationId))
    assert.ok(truncated)
    assert.deepEqual(totals, {
      application_count: 51,
      build_count: 1,
      stored_bytes: 10,
      uploads: [0, 1],
      storage: [0, 10],
    })
  })
})
