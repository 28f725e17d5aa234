import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../harness.ts'
import { uploadBody, uploadedBuild, versionOf } from '../uploading.ts'
import { fullRequest, ok } from './everything.ts'
import { has, is, text, uuid, webUrl, type Json } from './shapes.ts'

// The platforms are in the same order as in the specification.
const everyPlatform =
  `generic windows macos android ios quest switch switch2 ps5 ps4 xbox-series vision-pro pico
  wearos vive homepod apple-tv apple-watch freebsd openbsd linux debian redhat gentoo arch playdate magic-leap zephyr
  roblox opensuse alpine nixos slackware void mageia kaios`.split(/\s+/)

const service = await startService()
const tenant = await service.tenant({ platforms: everyPlatform })
after(() => service.close())

const request = (fields: Json, key = tenant.applicationKey) =>
  service.call('POST', '/upload/request', { key, body: uploadBody(fields) })

/** Asserts that the response is a 422 (docs/contract.md, section 7) whose errors name only this field. */
async function rejects(fields: Json, field: string) {
  const { status, body } = await request(fields)
  assert.equal(status, 422, JSON.stringify(fields))
  assert.equal(typeof body.message, 'string')
  assert.deepEqual(
    Object.keys(body.errors).map((path) => path.split('.')[0]),
    [field],
  )
  for (const texts of Object.values(body.errors) as string[][])
    assert.ok(texts.length > 0 && texts.every((line) => typeof line === 'string'))
}

const without = (field: string) =>
  service.call('POST', '/upload/request', {
    key: tenant.applicationKey,
    body: Object.fromEntries(Object.entries(uploadBody()).filter(([name]) => name !== field)),
  })

/** Requests an upload for the platform with a file type that the platform accepts. */
async function requestFor(platform: string, fields: Json = {}) {
  const first = await request({ platform, ...fields })
  const [, extension] = /Accepted: (\.\w+)/.exec(first.body.message) ?? []
  if (extension === undefined) return first
  return request({ platform, ...fields, primary_file: { filename: `app${extension}`, size_bytes: 100 } })
}

const upload = async (fields: Json): Promise<Json> => (await uploadedBuild(service, tenant, fields)).build

test('accepts all 36 platform slugs and rejects a missing or unknown platform (§2.4 platform slugs, §4.3 request.platform)', async () => {
  assert.equal(everyPlatform.length, 36)
  const responses = await Promise.all(everyPlatform.map((platform) => requestFor(platform)))
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  await rejects({ platform: 'amiga' }, 'platform')
  assert.equal((await without('platform')).status, 422)
})

test('requires application_id only with a workspace key (§4.3 request.application_id, §5 two kinds of key)', async () => {
  const { workspaceKey, applicationId } = tenant
  const missing = await request({}, workspaceKey)
  assert.deepEqual([missing.status, Object.keys(missing.body.errors)], [422, ['application_id']])
  assert.equal((await request({ application_id: applicationId }, workspaceKey)).status, 200)
  assert.equal((await request({})).status, 200)
  assert.equal((await request({ application_id: applicationId })).status, 200)
})

test('requires an expansion file if the structure is file+expansion (§4.3 request.structure)', async () => {
  const expansion_files = [{ filename: 'main.1.a.obb', size_bytes: 10 }]
  assert.equal((await upload({})).build_structure, 'file')
  await rejects({ structure: 'folder' }, 'structure')
  const apk = {
    structure: 'file+expansion',
    platform: 'android',
    primary_file: { filename: 'a.apk', size_bytes: 10 },
  }
  assert.equal((await request({ ...apk, expansion_files })).status, 200)
  assert.equal((await request(apk)).status, 422)
})

test('requires the name of an existing stream (§4.3 request.stream)', async () => {
  assert.equal((await upload({ stream: 'stable' })).stream.name, 'stable')
  await rejects({ stream: 'none' }, 'stream')
  assert.equal((await without('stream')).status, 422)
})

test('accepts every documented source and version control host (§4.3 request.source, §4.3 source slugs)', async () => {
  for (const source of ['web-upload', 'cli-upload'])
    assert.equal((await upload({ source })).build_source, source)
  await rejects({ source: 'by-mail' }, 'source')
  assert.equal((await without('source')).status, 422)
  const { sources, types, hosts } = await slugs()
  assert.equal(sources.length, 23)
  assert.ok(hosts.length >= 23)
  for (const type of ['git', 'svn', 'hg', 'bzr', 'fossil', 'darcs', 'cvs', 'monotone'])
    assert.ok(types.includes(type))
  for (const source of sources) assert.equal((await request({ source })).status, 200, source)
  for (const vc_host of hosts)
    assert.equal((await request({ vc_host, vc_host_type: 'git' })).status, 200, vc_host)
})

/** Returns the slugs that the API document lists. */
async function slugs() {
  const { components } = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as Json
  const { source, vc_host_type, vc_host } = components.schemas.UploadRequest.properties
  const listed = async (field: string, schema: Json): Promise<string[]> => {
    if (schema.enum !== undefined) return schema.enum
    // The error for an unknown slug lists the valid slugs.
    const { body } = await request({ [field]: 'no such slug' })
    return body.errors[field][0]
      .replace(/^.*Use one of: /, '')
      .replace(/\.$/, '')
      .split(', ')
  }
  return {
    sources: await listed('source', source),
    types: await listed('vc_host_type', vc_host_type),
    hosts: await listed('vc_host', vc_host),
  }
}

test('requires a primary file with a valid name and size (§4.3 request.primary_file)', async () => {
  const build = await upload({ primary_file: { filename: 'My game (1).tar.gz' } })
  assert.equal(build.primary_file.filename, 'My game (1).tar.gz')
  assert.equal((await without('primary_file')).status, 422)
  await rejects({ primary_file: { filename: 'a.zip' } }, 'primary_file')
  await rejects({ primary_file: { filename: 'a.zip', size_bytes: 0 } }, 'primary_file')
  await rejects({ primary_file: { filename: '../a.zip', size_bytes: 1 } }, 'primary_file')
})

test('rejects expansion files unless the structure is file+expansion (§4.3 request.expansion_files)', async () => {
  const { status } = await request({ expansion_files: [{ filename: 'main.1.a.obb', size_bytes: 10 }] })
  assert.equal(status, 422)
})

for (const line of [
  '§4.3 request.version_component_1_major',
  '§4.3 request.version_component_2_minor',
  '§4.3 request.version_component_3_patch',
])
  test(`stores ${line.replace(/^.* request\./, '')} and rejects a missing or invalid value (${line})`, async () => {
    const field = line.replace(/^.* request\./, '')
    const build = await upload({ ...versionOf(1, 1, 1), [field]: 37 })
    assert.equal(build[`version_semantic_${field.split('_').at(-1)}`], 37)
    assert.equal((await without(field)).status, 422)
    for (const wrong of [-1, 1.5, 10_000, 'x']) await rejects({ [field]: wrong }, field)
  })

test('includes the pre-release part in the version (§4.3 request.version_component_extra)', async () => {
  assert.equal((await upload({ version_component_extra: 'rc.1' })).version, '1.2.3-rc.1')
  assert.equal((await upload({ version_component_extra: '' })).version_semantic_extra, null)
  await rejects({ version_component_extra: 'rc_1' }, 'version_component_extra')
})

test('includes the metadata part in the version (§4.3 request.version_component_meta)', async () => {
  assert.equal((await upload({ version_component_meta: 'build.7' })).version, '1.2.3+build.7')
  await rejects({ version_component_meta: 'a b' }, 'version_component_meta')
})

test('accepts a build number in any format (§4.3 request.custom_build_number)', async () => {
  const custom_build_number = 'Night #7 / «α»'
  assert.equal((await upload({ custom_build_number })).build_number, custom_build_number)
})

test('creates labels that do not exist yet (§4.3 request.labels)', async () => {
  const names = async () =>
    ok(
      await service.call('GET', `/applications/${tenant.applicationId}/labels`, { key: tenant.workspaceKey }),
    ).data.map(({ name }: Json) => name as string)
  assert.equal((await names()).includes('brand new'), false)
  const build = await upload({ labels: ['brand new', 'Brand New'] })
  assert.deepEqual(
    build.labels.map(({ name }: Json) => name),
    ['brand new'],
  )
  assert.ok((await names()).includes('brand new'))
})

test('accepts only architectures that the platform supports (§4.3 request.architectures, §2.7 architecture values)', async () => {
  const primary_file = { filename: 'a.apk' }
  const build = await upload({
    platform: 'android',
    primary_file,
    architectures: ['x86', 'x64', 'armv7', 'arm64v8'],
  })
  assert.deepEqual(build.architectures.map(({ identifier }: Json) => identifier).toSorted(), [
    'arm64v8',
    'armv7',
    'x64',
    'x86',
  ])
  await rejects({ platform: 'linux', architectures: ['sparc-not'] }, 'architectures')
  await rejects(
    { platform: 'windows', primary_file: { filename: 'a.zip', size_bytes: 1 }, architectures: ['sparc'] },
    'architectures',
  )
})

for (const [line, field, read] of [
  ['§4.3 request.ci_pipeline', 'ci_pipeline', (build: Json) => build.ci_pipeline.ci_pipeline_name],
  ['§4.3 request.ci_run_id', 'ci_run_id', (build: Json) => build.ci_pipeline.ci_run_id],
  ['§4.3 request.ci_run_url', 'ci_run_url', (build: Json) => build.ci_pipeline.ci_run_url],
  [
    '§4.3 request.ci_build_duration',
    'ci_build_duration',
    (build: Json) => build.ci_pipeline.ci_build_duration,
  ],
  ['§4.3 request.vc_host_type', 'vc_host_type', (build: Json) => build.scm.scm_host_type],
  ['§4.3 request.vc_host', 'vc_host', (build: Json) => build.scm.scm_host],
  ['§4.3 request.notes', 'notes', (build: Json) => build.notes],
] as const)
  test(`stores the optional field ${field} (${line})`, async () => {
    assert.equal(read(await upload({ [field]: fullRequest[field] })), fullRequest[field])
    assert.equal(read(await upload({})), null)
    if (field.startsWith('vc_host')) await rejects({ [field]: 'nowhere' }, field)
  })

test('stores the repository, branch and commit (§4.3 request.vc_repo_name, vc_repo_url, vc_branch, vc_commit_sha, vc_commit_url)', async () => {
  const fields = ['repo_name', 'repo_url', 'branch', 'commit_sha', 'commit_url'] as const
  const { scm } = await upload(
    Object.fromEntries(fields.map((field) => [`vc_${field}`, fullRequest[`vc_${field}`]])),
  )
  for (const field of fields) assert.equal(scm[`scm_${field}`], fullRequest[`vc_${field}`])
})

test('returns a signed URL for each file (§4.1 POST /upload/request, §4.3 response.message, §4.3 response.pending_upload_id, §4.3 response.primary_file, §4.3 response.expansion_files)', async () => {
  const response = ok(await request({ primary_file: { filename: 'a.zip', size_bytes: 100 } }))
  has({ message: text, pending_upload_id: uuid, expansion_files: is([]) })(response, 'response')
  const shape = {
    filename: text,
    presigned_data: has({ url: webUrl, headers: has({ 'Content-Type': text, 'Content-Disposition': text }) }),
    chunked_upload: is(false),
    chunked_number_parts: is(null),
    chunked_part_size_mb: is(null),
  }
  has(shape)(response.primary_file, 'primary_file')
  const two = ok(
    await request({
      structure: 'file+expansion',
      platform: 'android',
      primary_file: { filename: 'a.apk', size_bytes: 10 },
      expansion_files: [{ filename: 'main.1.a.obb', size_bytes: 10 }],
    }),
  )
  assert.equal(two.expansion_files.length, 1)
  has(shape)(two.expansion_files[0], 'expansion file')
})
