import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { assertLateChecksums, put, uploadedBuild, verify } from '../../../test/uploading.ts'
import { rehashBuild } from './files/hash-file.job.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const read = (path: string) =>
  service.call('GET', `/applications/${tenant.applicationId}/builds/${path}`, { key: tenant.applicationKey })

test('returns all submitted fields of a build exactly as the verify response does', async () => {
  const bytes = randomBytes(3456)
  const { build, pendingUploadId } = await uploadedBuild(
    service,
    tenant,
    {
      platform: 'windows',
      primary_file: { filename: 'Setup.exe' },
      version_component_extra: 'rc.1',
      version_component_meta: 'build.7',
      custom_build_number: '4711 b',
      architectures: ['x64'],
      labels: ['beta', 'alpha'],
      notes: 'Fixes\n<script>alert(1)</script>',
      ci_pipeline: 'nightly',
      ci_pipeline_url: 'https://ci.example/p',
      ci_run_id: '17',
      ci_run_url: 'https://ci.example/p/17',
      ci_build_duration: '15m30s',
      vc_host_type: 'git',
      vc_repo_name: 'team/app',
      vc_repo_url: 'git@example.org:team/app.git',
      vc_branch: 'main',
      vc_commit_sha: 'cafe0123456789abcdef',
      vc_commit_url: 'https://example.org/team/app/commit/cafe',
      built_at: '2026-11-20T10:00:00+02:00',
    },
    bytes,
  )
  // Jobs read the file and add checksums after the upload.
  await rehashBuild(service.deps, build.id, new AbortController().signal)
  const data = await until('the file is read', async () => {
    const { status, body } = await read(build.id)
    assert.equal(status, 200)
    return ['queued', 'waiting'].includes(body.data.processing) ? undefined : body.data
  })
  const verified = await verify(service, tenant, pendingUploadId)
  assert.deepEqual(data, verified.body.build)
  assert.equal(data.version, '1.2.3-rc.1+build.7')
  assert.equal(data.version_short, '1.2.3')
  assert.deepEqual(
    [data.version_semantic_major, data.version_semantic_minor, data.version_semantic_patch],
    [1, 2, 3],
  )
  assert.deepEqual([data.version_semantic_extra, data.version_semantic_meta], ['rc.1', 'build.7'])
  assert.equal(data.build_structure, 'file')
  assert.equal(data.build_number, '4711 b')
  assert.equal(data.platform.identifier, 'windows')
  assert.equal(data.stream.name, 'default')
  assert.deepEqual(
    data.labels.map(({ name }: { name: string }) => name),
    ['alpha', 'beta'],
  )
  assert.equal(data.architectures[0].identifier, 'x64')
  assert.equal(data.notes, 'Fixes\n<script>alert(1)</script>')
  assert.deepEqual([data.size_total_bytes, data.size_total_string], [3456, '3.38 KB'])
  assert.equal(data.build_source, 'cli-upload')
  assert.deepEqual(data.ci_pipeline, {
    ci_pipeline_name: 'nightly',
    ci_pipeline_url: 'https://ci.example/p',
    ci_run_id: '17',
    ci_run_url: 'https://ci.example/p/17',
    ci_build_duration: '00:15:30',
  })
  assert.deepEqual(data.scm, {
    scm_host_type: 'git',
    scm_host: null,
    scm_repo_name: 'team/app',
    scm_repo_url: 'git@example.org:team/app.git',
    scm_branch: 'main',
    scm_commit_sha: 'cafe0123456789abcdef',
    scm_commit_sha_short: 'cafe012',
    scm_commit_url: 'https://example.org/team/app/commit/cafe',
  })
  assert.deepEqual(build.links, {
    ci_pipeline_url: 'https://ci.example/p',
    ci_run_url: 'https://ci.example/p/17',
    scm_repo_url: 'https://example.org/team/app',
    scm_commit_url: 'https://example.org/team/app/commit/cafe',
  })
  assert.equal(data.pending, false)
  assert.equal(data.built_at, '2026-11-20T08:00:00.000000Z')
  assert.equal(data.application_id, tenant.applicationId)
  assert.equal(data.workspace_id, tenant.workspaceId)
  const { id, created_at, updated_at, filetype, checksum_sha1, checksum_sha512, ...file } = data.primary_file
  assertLateChecksums({ checksum_sha1, checksum_sha512 }, bytes)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(filetype.extension, 'exe')
  assert.ok(created_at && updated_at)
  assert.deepEqual(file, {
    filename: 'Setup.exe',
    size_bytes: 3456,
    size_string: '3.38 KB',
    checksum_md5: createHash('md5').update(bytes).digest('hex'),
    checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
    checksum_error: null,
  })
  assert.deepEqual([data.expansion_files, data.metadata_artifacts], [[], []])
  assert.deepEqual([data.ios_info, data.android_info, data.processing_error], [null, null, null])
})

test('derives URLs from the configured origin and ignores Forwarded and X-Forwarded-* headers', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const headers = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'ftp',
    forwarded: 'host=evil.example',
  }
  const path = `/applications/${tenant.applicationId}/builds/${build.id}`
  const { body } = await service.call('GET', path, { key: tenant.applicationKey, headers })
  for (const url of [body.data.modal_url, body.data.download_url])
    assert.ok(url.startsWith(`${service.url}/`), url)
})

test('lists metadata artifacts, returns each one by ID and serves its content unchanged', async () => {
  const { build, pendingUploadId } = await uploadedBuild(service, tenant)
  const key = tenant.applicationKey
  const sent = new Map<string, Buffer>()
  for (const [filename, target] of [
    ['mapping.txt', { build_id: build.id }],
    ['sbom.json', { primary_pending_upload_id: pendingUploadId }],
  ] as [string, object][]) {
    const bytes = randomBytes(500)
    sent.set(filename, bytes)
    const input = { ...target, filename, size_bytes: bytes.length }
    const { body } = await service.call('POST', '/upload/metadata/request', { key, body: input })
    assert.equal((await put(body.presigned_upload_data, bytes)).status, 200)
    const verified = await service.call('POST', '/upload/metadata/verify', {
      key,
      body: { pending_upload_id: body.metadata_pending_upload_id, file_description: 'of the build' },
    })
    assert.equal(verified.status, 200, verified.text)
    assert.equal(verified.body.build_id, build.id)
  }
  const list = await read(`${build.id}/metadata`)
  assert.deepEqual(
    list.body.data.map(({ filename }: { filename: string }) => filename),
    [...sent.keys()],
  )
  for (const artifact of list.body.data) {
    const bytes = sent.get(artifact.filename)!
    assert.equal(artifact.checksum_md5, createHash('md5').update(bytes).digest('hex'))
    assert.equal(artifact.description, 'of the build')
    assert.deepEqual((await read(`${build.id}/metadata/${artifact.id}`)).body.data, {
      ...artifact,
      build_id: build.id,
      application_id: tenant.applicationId,
      workspace_id: tenant.workspaceId,
    })
    const download = await read(`${build.id}/metadata/${artifact.id}/download`)
    const { temp_url, checksum_sha1, checksum_sha512, ...file } = download.body
    assertLateChecksums({ checksum_sha1, checksum_sha512 }, bytes)
    assert.deepEqual(file, {
      message: 'Download link created.',
      filename: artifact.filename,
      size_bytes: bytes.length,
      checksum_md5: artifact.checksum_md5,
      checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    const response = await fetch(temp_url)
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes))
  }
  const { data } = (await read(build.id)).body
  assert.deepEqual(data.metadata_artifacts, list.body.data)
  assert.equal(data.metadata_total_bytes, 1000)
  assert.equal(data.size_total_bytes, build.size_total_bytes)
})

test('returns the expiration time of a build, or null when keep_forever is set', async () => {
  const { build } = await uploadedBuild(service, tenant, { stream: 'nightlies' })
  const days = 30 * 24 * 3600_000
  assert.equal(Date.parse(build.expires_at), Date.parse(build.created_at) + days)
  const { db } = service.deps
  await db.updateTable('builds').set({ keep_forever: true }).where('id', '=', build.id).execute()
  assert.equal((await read(build.id)).body.data.expires_at, null)
})
