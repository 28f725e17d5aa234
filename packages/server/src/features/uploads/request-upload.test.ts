import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadBody } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const request = (fields: Record<string, unknown>, key = tenant.applicationKey) =>
  service.call('POST', '/upload/request', { key, body: uploadBody(fields) })

const mebibyte = 1024 * 1024

test('returns one signed PUT URL with exactly the headers that clients send', async () => {
  const { status, body } = await request({})
  assert.equal(status, 200)
  assert.equal(body.errors, undefined)
  assert.equal(body.primary_file.chunked_upload, false)
  assert.equal(body.primary_file.chunked_number_parts, null)
  assert.deepEqual(body.primary_file.presigned_data.headers, {
    'Content-Type': 'application/gzip',
    'Content-Length': '1024',
    'Content-Disposition': 'attachment; filename="app.tar.gz"',
    'x-amz-acl': 'private',
  })
  assert.ok(body.primary_file.presigned_data.url.startsWith(service.url))
  assert.deepEqual(body.expansion_files, [])
})

for (const [size, parts, partSize, single] of [
  [64 * mebibyte - 1, null, null, true],
  [64 * mebibyte, 4, 16, true],
  [64 * mebibyte + 1, 5, 16, true],
  [5 * 1024 * mebibyte, 320, 16, true],
  [5 * 1024 * mebibyte + 1, 321, 16, false],
  [500_000_000_000, 9935, 48, false],
] as const) {
  test(`recommends ${parts ?? 'no'} parts for ${size} bytes and ${single ? 'offers' : 'does not offer'} a single PUT`, async () => {
    const { body } = await request({ primary_file: { filename: 'a.zip', size_bytes: size } })
    assert.equal(body.primary_file.chunked_upload, parts !== null)
    assert.equal(body.primary_file.chunked_number_parts, parts)
    assert.equal(body.primary_file.chunked_part_size_mb, partSize)
    assert.equal(body.primary_file.presigned_data !== null, single)
    if (parts !== null && partSize !== null) assert.ok(parts * partSize * mebibyte >= size && parts <= 10_000)
  })
}

test('recommends a single PUT for an expansion file below 5 GiB', async () => {
  const { status, body, text } = await request({
    platform: 'android',
    structure: 'file+expansion',
    primary_file: { filename: 'game.apk', size_bytes: 1000 },
    expansion_files: [{ filename: 'main.1.game.obb', size_bytes: 2 * 1024 * mebibyte }],
  })
  assert.equal(status, 200, text)
  assert.equal(body.expansion_files.length, 1)
  assert.equal(body.expansion_files[0].chunked_upload, false)
  assert.ok(body.expansion_files[0].presigned_data.url)
})

test('treats "" and null as absent and decimal strings as integers', async () => {
  const { status, text } = await request({
    version_component_1_major: '1',
    primary_file: { filename: 'a.zip', size_bytes: '1024' },
    version_component_extra: '',
    notes: null,
    labels: null,
    architectures: [],
    ci_build_duration: '',
    vc_repo_url: null,
    custom_target: '',
    expansion_files: null,
    built_at: '',
    unknown_field: { deep: [1] },
  })
  assert.equal(status, 200, text)
})

for (const [field, fields] of Object.entries({
  platform: { platform: 'amiga' },
  stream: { stream: 'Default' },
  source: { source: 'carrier-pigeon' },
  'primary_file.filename': { primary_file: { filename: 'a/b.zip', size_bytes: 1 } },
  'primary_file.size_bytes': { primary_file: { filename: 'a.zip', size_bytes: 500_000_000_001 } },
  version_component_1_major: {
    version_component_1_major: 0,
    version_component_2_minor: 0,
    version_component_3_patch: 0,
  },
  version_component_2_minor: { version_component_2_minor: 10_000 },
  version_component_extra: { version_component_extra: 'beta..1' },
  version_component_meta: { version_component_meta: 'a b' },
  custom_build_number: { custom_build_number: 'x'.repeat(101) },
  labels: { labels: Array.from({ length: 11 }, (_, n) => `label ${n}`) },
  'architectures.1': { architectures: ['x64', 'z80'] },
  notes: { notes: 'x'.repeat(1001) },
  ci_run_url: { ci_run_url: 'javascript:alert(1)' },
  ci_build_duration: { ci_build_duration: 'soon' },
  vc_host_type: { vc_host_type: 'zip' },
  vc_host: { vc_host: 'somewhere' },
  vc_commit_url: { vc_commit_url: 'ftp://example.com/x' },
  vc_commit_sha: { vc_commit_sha: 'a'.repeat(65) },
  built_at: { built_at: 'yesterday' },
  custom_target: { custom_target: 'nothing' },
  structure: { structure: 'folder' },
  expansion_files: { expansion_files: [{ filename: 'a.obb', size_bytes: 1 }] },
})) {
  test(`rejects an invalid ${field} with 422 and stores nothing`, async () => {
    const rows = () =>
      service.deps.db
        .selectFrom('pending_uploads')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    const before = await rows()
    const { status, body } = await request(fields)
    assert.equal(status, 422)
    assert.ok(Array.isArray(body.errors[field]), JSON.stringify(body.errors))
    assert.deepEqual(await rows(), before)
  })
}

test('lists the attached platforms when the requested platform is not one of them', async () => {
  const { status, body } = await request({ platform: 'macos' })
  assert.equal(status, 422)
  assert.match(body.errors.platform[0], /generic, windows, android, ios, linux/)
})

test("requires application_id with a workspace key and hides other tenants' applications", async () => {
  const other = await service.tenant()
  const without = await request({}, tenant.workspaceKey)
  assert.equal(without.status, 422)
  assert.ok(without.body.errors.application_id)
  const foreign = await request({ application_id: other.applicationId }, tenant.workspaceKey)
  const random = await request({ application_id: 'zzzzzzzzzzzz' }, tenant.workspaceKey)
  assert.equal(foreign.status, 404)
  assert.deepEqual({ ...foreign.body, request_id: '' }, { ...random.body, request_id: '' })
  const own = await request({ application_id: tenant.applicationId }, tenant.workspaceKey)
  assert.equal(own.status, 200)
})

test('rejects a custom target while custom targets are disabled', async () => {
  const { db } = service.deps
  const other = await service.tenant()
  await db
    .updateTable('workspaces')
    .set({ custom_targets_enabled: false })
    .where('id', '=', other.workspaceId)
    .execute()
  const { status, body } = await request({ custom_target: 'console' }, other.applicationKey)
  assert.equal(status, 422)
  assert.match(body.errors.custom_target[0], /disabled/)
})
