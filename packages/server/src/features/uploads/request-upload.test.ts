import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { folderOnly, storageUrl } from '../../../test/acceptance/test-storage.ts'
import { startOwnService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadBody } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startOwnService()
  tenant = await service.tenant()
})
after(() => service.close())

const request = (fields: Record<string, unknown>, key = tenant.applicationKey) =>
  service.call('POST', '/upload/request', { key, body: uploadBody(fields) })

const mebibyte = 1024 * 1024

test('returns a presigned URL for a single PUT and the exact headers that clients must send', async () => {
  const { status, body } = await request({})
  assert.equal(status, 200)
  assert.equal(body.errors, undefined)
  assert.equal(body.primary_file.chunked_upload, false)
  assert.equal(body.primary_file.chunked_number_parts, null)
  assert.deepEqual(body.primary_file.presigned_data.headers, {
    'Content-Type': 'application/x-7z-compressed',
    'Content-Length': '1024',
    'Content-Disposition': 'attachment; filename="app.7z"',
    'x-amz-acl': 'private',
  })
  assert.ok(body.primary_file.presigned_data.url.startsWith(storageUrl(service.url)))
  assert.deepEqual(body.expansion_files, [])
})

for (const [recommendation, description, size, parts, partSize, single] of [
  ['a single PUT', '1 byte smaller than 64 MiB', 64 * mebibyte - 1, null, null, true],
  ['4 parts and allows a single PUT', 'of 64 MiB', 64 * mebibyte, 4, 16, true],
  ['5 parts and allows a single PUT', '1 byte larger than 64 MiB', 64 * mebibyte + 1, 5, 16, true],
  ['320 parts and allows a single PUT', 'of 5 GiB', 5 * 1024 * mebibyte, 320, 16, true],
  [
    '321 parts and does not allow a single PUT',
    '1 byte larger than 5 GiB',
    5 * 1024 * mebibyte + 1,
    321,
    16,
    false,
  ],
  ['9,935 parts and does not allow a single PUT', 'of 500 GB', 500_000_000_000, 9935, 48, false],
] as const) {
  test(`recommends ${recommendation} for a file ${description}`, async (t) => {
    // The file may be larger than the free disk space of the machine that runs the tests.
    t.mock.method(service.deps.storage, 'requireSpace', async () => undefined)
    const { body } = await request({ primary_file: { filename: 'a.zip', size_bytes: size } })
    assert.equal(body.primary_file.chunked_upload, parts !== null)
    assert.equal(body.primary_file.chunked_number_parts, parts)
    assert.equal(body.primary_file.chunked_part_size_mb, partSize)
    assert.equal(body.primary_file.presigned_data !== null, single)
    if (parts !== null && partSize !== null) assert.ok(parts * partSize * mebibyte >= size && parts <= 10_000)
  })
}

test(
  'rejects an upload that does not fit on the disk with 507 and reports the available space',
  folderOnly,
  async () => {
    const full = await startOwnService({ environment: { QUAYSIDE_DISK_RESERVE: '5 PB' } })
    try {
      const { applicationKey: key } = await full.tenant()
      const { status, body } = await full.call('POST', '/upload/request', { key, body: uploadBody() })
      assert.deepEqual([status, body.code], [507, 'storage.out_of_space'])
      assert.match(body.message, /^The upload needs 1\.00 KB, but the disk of the server has .* are reserved/)
      const { count } = await full.deps.db
        .selectFrom('pending_uploads')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      assert.equal(Number(count), 0)
    } finally {
      await full.close()
    }
  },
)

test('recommends a single PUT for an expansion file smaller than 5 GiB', async () => {
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

test('treats empty strings and null as omitted fields and accepts decimal strings as integers', async () => {
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

test('names the existing streams in the error for an unknown stream', async () => {
  const { status, body } = await request({ stream: 'beta' })
  assert.equal(status, 422)
  assert.deepEqual(body.errors.stream, [
    '"beta" is not a stream of this application. Streams: default, nightlies, stable.',
  ])
})

for (const [flaw, field, fields] of [
  ['an unknown platform', 'platform', { platform: 'amiga' }],
  ['an unknown stream', 'stream', { stream: 'Default' }],
  ['an unknown source', 'source', { source: 'carrier-pigeon' }],
  [
    'a slash in the filename',
    'primary_file.filename',
    { primary_file: { filename: 'a/b.zip', size_bytes: 1 } },
  ],
  [
    'a file larger than 500 GB',
    'primary_file.size_bytes',
    { primary_file: { filename: 'a.zip', size_bytes: 500_000_000_001 } },
  ],
  [
    'version 0.0.0',
    'version_component_1_major',
    { version_component_1_major: 0, version_component_2_minor: 0, version_component_3_patch: 0 },
  ],
  ['a minor version of 10,000', 'version_component_2_minor', { version_component_2_minor: 10_000 }],
  ['an empty pre-release identifier', 'version_component_extra', { version_component_extra: 'beta..1' }],
  ['a space in the build metadata', 'version_component_meta', { version_component_meta: 'a b' }],
  ['a build number of 101 characters', 'custom_build_number', { custom_build_number: 'x'.repeat(101) }],
  ['11 labels', 'labels', { labels: Array.from({ length: 11 }, (_, n) => `label ${n}`) }],
  ['an unknown architecture', 'architectures.1', { architectures: ['x64', 'z80'] }],
  ['notes of 1,001 characters', 'notes', { notes: 'x'.repeat(1001) }],
  ['an unknown version control system', 'vc_host_type', { vc_host_type: 'zip' }],
  ['an unknown version control host', 'vc_host', { vc_host: 'somewhere' }],
  ['an invalid build timestamp', 'built_at', { built_at: 'yesterday' }],
  [
    'directional formatting in the filename',
    'primary_file.filename',
    { primary_file: { filename: 'app\u202egpj.zip', size_bytes: 1 } },
  ],
  ['an invisible label', 'labels.1', { labels: ['a', '\u200d\u00ad'] }],
  ['a label that URLs cannot contain', 'labels.0', { labels: [' .. '] }],
  ['an unknown custom target', 'custom_target', { custom_target: 'nothing' }],
  ['an unknown structure', 'structure', { structure: 'folder' }],
  [
    'an expansion file for a single-file structure',
    'expansion_files',
    { expansion_files: [{ filename: 'a.obb', size_bytes: 1 }] },
  ],
] as [string, string, Record<string, unknown>][]) {
  test(`rejects an upload with ${flaw} and stores nothing`, async () => {
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

test('returns all validation errors of an upload request in one response', async () => {
  const { status, body } = await request({
    version_component_1_major: 'one',
    notes: 5,
    primary_file: { filename: 'a/b.zip', size_bytes: -1 },
    platform: 'macos',
    source: 'carrier-pigeon',
    stream: 'none',
    architectures: ['x64', 7, 'z80'],
    custom_target: 'nothing',
    vc_host: 'somewhere',
    built_at: 'yesterday',
  })
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(body.errors).toSorted(), [
    'architectures.1',
    'architectures.2',
    'built_at',
    'custom_target',
    'notes',
    'platform',
    'primary_file.filename',
    'primary_file.size_bytes',
    'source',
    'stream',
    'vc_host',
    'version_component_1_major',
  ])
})

test('reports a missing application_id together with the other errors of a request', async () => {
  const { status, body } = await request({ notes: 5, source: 'carrier-pigeon' }, tenant.workspaceKey)
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(body.errors).toSorted(), ['application_id', 'notes', 'source'])
})

test('accepts every file type on the `generic` platform', async () => {
  for (const filename of ['setup.exe', 'Game.apk', 'firmware.xyz', 'Makefile', 'model.safetensors'])
    assert.equal(
      (await request({ platform: 'generic', primary_file: { filename, size_bytes: 1 } })).status,
      200,
    )
  assert.equal((await request({ primary_file: { filename: 'setup.exe', size_bytes: 1 } })).status, 422)
})

test('lists the attached platforms in the error for a platform that is not attached', async () => {
  const { status, body } = await request({ platform: 'macos' })
  assert.equal(status, 422)
  assert.match(body.errors.platform[0], /generic, windows, android, ios, linux/)
})

test('requires application_id with a workspace key and hides applications of other workspaces', async () => {
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
