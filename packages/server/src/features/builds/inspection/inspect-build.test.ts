import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { purgeBuild } from '../../../../test/aging.ts'
import { auditEntry } from '../../../../test/audit.ts'
import { debianPackage } from '../../../../test/debian-package.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { publishedApks } from '../../../../test/inspection/android-packages.ts'
import { attackProgram } from '../../../../test/inspection/attack-program.ts'
import { until } from '../../../../test/until.ts'
import { uploadedBuild, verify } from '../../../../test/uploading.ts'
import { emptyInspection, unknownPackage } from '../../../inspection/inspection.ts'
import { createInspector, type Inspector } from '../../../inspection/run-inspection.ts'
import { deviceHash } from './device-hash.ts'
import { inspectBuild, inspectOverdueBuilds } from './inspect-build.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const neverStopping = new AbortController().signal

const debian = (version = '1.4.2') =>
  debianPackage({
    Package: 'harbor',
    Version: version,
    Architecture: 'amd64',
    Maintainer: 'Harbor Team <harbor@example.com>',
  })

const uploadDebian = async (bytes = debian(), fields = {}) =>
  (await uploadedBuild(service, tenant, { primary_file: { filename: 'harbor.deb' }, ...fields }, bytes)).build

const uploadApk = (bytes: Buffer) =>
  uploadedBuild(service, tenant, { platform: 'android', primary_file: { filename: 'harbor.apk' } }, bytes)

const get = async (id: string) =>
  (
    await service.call('GET', `/applications/${tenant.applicationId}/builds/${id}`, {
      key: tenant.applicationKey,
    })
  ).body.data

const eventsOf = async (id: string) =>
  service.deps.db
    .selectFrom('events')
    .select(['name', 'data'])
    .where('name', '=', 'build.processed')
    .where(sql<boolean>`data -> 'build' ->> 'id' = ${id}`)
    .execute()

test('reads the metadata of a Debian package and records one event', async () => {
  const { id, pending_processing, processing } = await uploadDebian()
  assert.deepEqual([pending_processing, processing], [false, 'queued'])
  const build = await until('file_info', async () => {
    const found = await get(id)
    return found.file_info === null ? undefined : found
  })
  assert.deepEqual(build.file_info, {
    format: 'deb',
    name: 'harbor',
    version: '1.4.2',
    build_number: null,
    publisher: 'Harbor Team <harbor@example.com>',
    minimum_os: null,
    signer: null,
    signature_status: 'unsigned',
    architectures: ['x64'],
    dependencies: [],
  })
  assert.deepEqual([build.ios_info, build.android_info, build.icon_url], [null, null, null])
  assert.equal(build.processing, 'done')
  await inspectBuild.handle(service.deps, { buildId: id }, neverStopping)
  const events = await eventsOf(id)
  assert.equal(events.length, 1)
  assert.deepEqual((events[0]!.data as { build: unknown }).build, build)
  const { action, before, after } = await auditEntry(service, id)
  assert.equal(action, 'build.processed')
  // The console calls a build by its version in every entry.
  assert.deepEqual(before, { version: build.version, processing_error: null, build_number: null })
  assert.deepEqual(after, before)
})

test('keeps the control data and hashes of devices for later features', async () => {
  const { id } = await uploadDebian()
  const { db, secretBox } = service.deps
  const detailsOf = async (buildId: string) =>
    db.selectFrom('package_details').selectAll().where('build_id', '=', buildId).executeTakeFirst()
  const details = await until('the control data', () => detailsOf(id))
  assert.deepEqual(
    (details.deb_control as { name: string }[]).map(({ name }) => name),
    ['Package', 'Version', 'Architecture', 'Maintainer'],
  )
  const device = '00008030-001A2B3C4D5E6F70'
  const inspector = {
    inspect: () => Promise.resolve({ ...emptyInspection, provisioned_devices: [device] }),
  }
  await db.updateTable('builds').set({ processing: 'queued' }).where('id', '=', id).execute()
  await inspectBuild.handle({ ...service.deps, inspector }, { buildId: id }, neverStopping)
  const hashed = await detailsOf(id)
  const spelled = deviceHash(secretBox, tenant.workspaceId, ' 00008030001a2b3c4d5e6f70')
  assert.deepEqual(hashed?.device_hashes, [spelled])
  assert.equal(hashed?.deb_control, null)
  assert.notEqual(deviceHash(secretBox, 'other', device), spelled)
  assert.doesNotMatch(JSON.stringify(hashed), /1A2B3C4D/i)
})

test('reports why a package cannot be read and still allows it to be downloaded', async () => {
  const bytes = randomBytes(2000)
  const { build, pendingUploadId } = await uploadApk(bytes)
  assert.deepEqual([build.pending_processing, build.processing], [true, 'waiting'])
  const processed = await until('processing_error', async () => {
    const found = await get(build.id)
    return found.pending_processing === true ? undefined : found
  })
  assert.match(processed.processing_error, /^[A-Z].*\.$/)
  assert.deepEqual([processed.android_info, processed.processing], [null, 'failed'])
  const again = await verify(service, tenant, pendingUploadId)
  assert.equal(again.body.pending_processing, false)
  const events = await eventsOf(build.id)
  assert.deepEqual(
    events.map(({ data }) => (data as { build: unknown }).build),
    [processed],
  )
  const { body } = await service.call(
    'GET',
    `/applications/${tenant.applicationId}/builds/${build.id}/download`,
    { key: tenant.applicationKey },
  )
  assert.deepEqual(Buffer.from(await (await fetch(body.primary_file.temp_url)).arrayBuffer()), bytes)
})

test('lists the state of each build in lists and in the changes feed', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own, { primary_file: { filename: 'notes.iso' } })
  const call = async (path: string) =>
    (await service.call('GET', `/applications/${own.applicationId}${path}`, { key: own.workspaceKey })).body
      .data
  const { body: invalid } = await service.call(
    'GET',
    `/applications/${own.applicationId}/builds?processing=done,read`,
    {
      key: own.workspaceKey,
    },
  )
  assert.deepEqual(invalid.errors, { processing: ['"read" is not a state of reading metadata.'] })
  const { db } = service.deps
  for (const processing of ['none', 'queued', 'waiting', 'done', 'failed']) {
    await db.updateTable('builds').set({ processing }).where('id', '=', build.id).execute()
    const [listed] = await call('/builds')
    const changes = await until('the feed lists the build', async () => {
      const found = await call('/changes')
      return found.length > 0 && found
    })
    const changed = changes.find(({ type }: { type: string }) => type === 'build')
    const single = await call(`/builds/${build.id}`)
    const others = ['none', 'queued', 'waiting', 'done', 'failed'].filter((state) => state !== processing)
    assert.equal((await call(`/builds?processing=${processing}`)).length, 1)
    assert.equal((await call(`/builds?processing=${others.join(',%20')}`)).length, 0)
    for (const shown of [listed, changed.build, single])
      assert.deepEqual([shown.processing, shown.pending_processing], [processing, processing === 'waiting'])
  }
})

test('reads a signed Android package and uses its icon for the build and the application', async () => {
  const own = await service.tenant()
  const bytes = await readFile(publishedApks.v2)
  const { build } = await uploadedBuild(
    service,
    own,
    { platform: 'android', primary_file: { filename: 'settings.apk' } },
    bytes,
  )
  const call = async (path: string) =>
    (await service.call('GET', `/applications/${own.applicationId}${path}`, { key: own.workspaceKey })).body
      .data
  const processed = await until('inspection', async () => {
    const found = await call(`/builds/${build.id}`)
    return found.pending_processing === true ? undefined : found
  })
  assert.equal(processed.android_info.package_name, 'io.appium.settings')
  assert.equal(processed.build_number, String(processed.android_info.version_code))
  assert.equal(processed.android_info.package_signed, true)
  const { icon_url } = await call('')
  for (const url of [processed.icon_url, icon_url]) {
    const icon = await fetch(url)
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/png'])
  }
  assert.notEqual(processed.icon_url, icon_url)
  assert.equal(processed.size_total_bytes, bytes.length)
  const iconBytes = (await (await fetch(icon_url)).arrayBuffer()).byteLength
  const storedBytes = async () => (await call('')).storage_usage.total_bytes
  assert.equal(await storedBytes(), bytes.length + 2 * iconBytes)
  assert.equal((await call('/builds')).data?.[0]?.ios_info, undefined)

  await purgeBuild(service, build.id)
  assert.equal((await fetch(processed.icon_url)).status, 404)
  assert.equal((await fetch(icon_url)).status, 200)
  assert.equal(await storedBytes(), iconBytes)
})

test('inspects a file again if the process fails, and gives up after the second attempt', async () => {
  const { build } = await uploadedBuild(service, tenant, { primary_file: { filename: 'app.iso' } })
  const { db, log } = service.deps
  const attacks = createInspector({ log, program: attackProgram, isRecognized: async () => true })
  let attempts = 0
  const inspector: Inspector = {
    inspect(source, _filetype, signal) {
      attempts += 1
      return attacks.inspect(source, 'crash', signal)
    },
  }
  await db.updateTable('builds').set({ processing: 'queued' }).where('id', '=', build.id).execute()
  await inspectBuild.handle({ ...service.deps, inspector }, { buildId: build.id }, neverStopping)
  assert.equal(attempts, 2)
  assert.match((await get(build.id)).processing_error, /^The inspection of the file failed/)
})

test('inspects builds whose job was lost', async () => {
  const { id } = await uploadDebian(debian('2.0'))
  await until('file_info', async () => (await get(id)).file_info ?? undefined)
  await service.deps.db
    .updateTable('builds')
    .set({ processing: 'queued', file_info: null, created_at: '2026-01-01T00:00:00Z' })
    .where('id', '=', id)
    .execute()
  await inspectOverdueBuilds.handle(service.deps, {}, neverStopping)
  assert.equal((await get(id)).file_info.version, '2.0')
})

test('inspects a build in the trash without recording an event', async () => {
  const { id } = await uploadDebian(debian('3.0'))
  await until('file_info', async () => (await get(id)).file_info ?? undefined)
  const { db } = service.deps
  await db.deleteFrom('events').where('name', '=', 'build.processed').execute()
  await db
    .updateTable('builds')
    .set({ processing: 'queued', file_info: null, deleted_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  await inspectBuild.handle(service.deps, { buildId: id }, neverStopping)
  assert.deepEqual(await eventsOf(id), [])
  await db.updateTable('builds').set({ deleted_at: null }).where('id', '=', id).execute()
  assert.equal((await get(id)).file_info.version, '3.0')
})

test('fills in the build number only if the uploader did not set one', async () => {
  const results = [
    await inspectedWith('77', {}),
    await inspectedWith('77', { custom_build_number: 'nightly-5' }),
  ]
  assert.deepEqual(
    results.map(({ build_number }) => build_number),
    ['77', 'nightly-5'],
  )
})

/** Uploads a build whose inspection returns this build number, and returns the inspected build. */
async function inspectedWith(build_number: string, fields: Record<string, unknown>) {
  const { build } = await uploadedBuild(service, tenant, { primary_file: { filename: 'app.iso' }, ...fields })
  await service.deps.db
    .updateTable('builds')
    .set({ processing: 'waiting' })
    .where('id', '=', build.id)
    .execute()
  const file_info = { ...unknownPackage, format: 'jar', build_number }
  const inspector = { inspect: async () => ({ ...emptyInspection, file_info }) }
  await inspectBuild.handle({ ...service.deps, inspector }, { buildId: build.id }, neverStopping)
  return get(build.id)
}
