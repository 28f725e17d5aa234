import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { folderOnly, storesInS3 } from '../../../test/acceptance/test-storage.ts'
import { ageBuild, ageObjects, purgeBuild } from '../../../test/aging.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { composedBuild, requestUpload, uploadedBuild } from '../../../test/uploading.ts'
import { avoidMidnight } from '../../../test/utc-day.ts'
import { deleteMarkedObjects } from '../../storage/objects/delete-marked-objects.job.ts'
import { mergeSomeStatistics } from '../statistics/statistics.db.ts'
import { mergeStorageUsage } from './totals/storage-usage.db.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
})
after(() => service.close())
beforeEach(async () => {
  await avoidMidnight()
  tenant = await service.tenant()
})

const size = 100_000
const upload = () => uploadedBuild(service, tenant, {}, randomBytes(size))

async function send(method: string, path: string, body?: unknown) {
  const key = tenant.applicationKey
  const response = await service.call(method, `/applications/${tenant.applicationId}${path}`, { key, body })
  assert.equal(response.status, 200, response.text)
  return response.body
}

const keep = (id: string, keep_forever: boolean) => send('PATCH', `/builds/${id}`, { keep_forever })

/** Returns the bytes that a download of all builds transfers, those that are stored, and those that the end of all builds frees. */
async function usage(): Promise<[total: number, stored: number, freed: number]> {
  const { data } = await send('GET', '')
  const { summary } = await send('GET', '/streams/default/retention-preview?retention_days=1')
  return [data.storage_usage.total_bytes, data.physical_bytes, summary.goes.freed_bytes]
}

/** Purges a build, and deletes what the storage no longer needs after the grace period. */
async function purge(id: string): Promise<void> {
  const { db } = service.deps
  const files = await db.selectFrom('files').select('object_key').where('build_id', '=', id).execute()
  await purgeBuild(service, id)
  const keys = files.map(({ object_key }) => object_key)
  await ageObjects(service, keys, 8)
  await deleteMarkedObjects(service.deps)
}

test('counts what an upload reused, in every storage', async () => {
  const source = await upload()
  const { build } = await composedBuild(service, tenant, source)
  assert.deepEqual([build.size_total_bytes, build.reused_bytes], [size + 10, size])
  const { data } = await send('GET', `/builds/${source.build.id}`)
  assert.equal(data.reused_bytes, 0)
  const stored = storesInS3 ? 2 * size + 10 : size + 10
  assert.deepEqual(await usage(), [2 * size + 10, stored, stored])
  await ageBuild(service, build.id, { days: 1 })
  await purge(source.build.id)
  for (const state of ['new', 'merged']) {
    const { sent, reused } = (await send('GET', '/statistics?days=2')).data.upload_bytes
    assert.deepEqual(sent, { total: size + 10, counts: [10, size] }, state)
    assert.deepEqual(reused, { total: size, counts: [size, 0] }, state)
    await mergeSomeStatistics(service.deps.db, 1_000_000)
  }
})

test('counts shared bytes once until the last of their builds is purged', folderOnly, async () => {
  const source = await upload()
  const { build } = await composedBuild(service, tenant, source)
  await purge(source.build.id)
  assert.deepEqual(await usage(), [size + 10, size + 10, size + 10])
  await mergeStorageUsage(service.deps.db, 1)
  assert.deepEqual(await usage(), [size + 10, size + 10, size + 10])
  await purge(build.id)
  assert.deepEqual(await usage(), [0, 0, 0])
})

test('previews that builds free only bytes that no other build uses', folderOnly, async () => {
  const source = await upload()
  const { build: changed } = await composedBuild(service, tenant, source)
  await keep(changed.id, true)
  assert.deepEqual(await usage(), [2 * size + 10, size + 10, 0])
  await keep(changed.id, false)
  await keep(source.build.id, true)
  assert.deepEqual(await usage(), [2 * size + 10, size + 10, 10])
})

test('previews the release of deleted builds that use each other', folderOnly, async () => {
  const first = await upload()
  const second = await composedBuild(service, tenant, first)
  const third = await composedBuild(service, tenant, second)
  await purge(first.build.id)
  await purge(second.build.id)
  assert.deepEqual(await usage(), [size + 20, size + 20, size + 20])
  await keep(third.build.id, true)
  assert.deepEqual(await usage(), [size + 20, size + 20, 0])
  await purge(third.build.id)
  assert.deepEqual(await usage(), [0, 0, 0])
})

test('does not free bytes that an unfinished upload uses', folderOnly, async () => {
  const source = await upload()
  const primary_file = { filename: 'game.bin', size_bytes: size }
  const { pending_upload_id: id } = await requestUpload(service, tenant, { primary_file })
  const file_id = source.build.primary_file.id
  const composed = await service.call('PUT', `/upload/${id}/composition`, {
    key: tenant.applicationKey,
    body: { checksum_sha256: '0'.repeat(64), ranges: [{ file_id, offset: 0, size_bytes: size }] },
  })
  assert.equal(composed.status, 200, composed.text)
  await purge(source.build.id)
  assert.deepEqual(await usage(), [0, size, 0])
})
