import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../harness.ts'
import { uploadBody, uploadedBuild } from '../uploading.ts'
import { fullRequest, ok, versionOf } from './everything.ts'
import { has, is, text, uuid, webUrl, type Json } from './shapes.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant({ platforms: everyPlatform })
})
after(() => service.close())

// as the specification lists them
const everyPlatform =
  `generic windows macos android ios quest switch switch2 ps5 ps4 xbox-series vision-pro pico
  wearos vive homepod apple-tv apple-watch freebsd openbsd linux debian redhat gentoo arch playdate magic-leap zephyr
  roblox opensuse alpine nixos slackware void mageia kaios`.split(/\s+/)

const ask = (fields: Json, key = tenant.applicationKey) =>
  service.call('POST', '/upload/request', { key, body: uploadBody(fields) })

/** 422 in the shape of section 7, about exactly this field. */
async function refused(fields: Json, field: string) {
  const { status, body } = await ask(fields)
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

/** A request for that platform, with a file of a type that it takes. */
async function askFor(platform: string, fields: Json = {}) {
  const first = await ask({ platform, ...fields })
  const [, extension] = /it takes: (\.\w+)/.exec(first.body.message) ?? []
  if (extension === undefined) return first
  return ask({ platform, ...fields, primary_file: { filename: `app${extension}`, size_bytes: 100 } })
}

/** The build that an upload of these fields becomes. */
const built = async (fields: Json): Promise<Json> => (await uploadedBuild(service, tenant, fields)).build

test('§2.4 platform slugs §4.3 request.platform', async () => {
  assert.equal(everyPlatform.length, 36)
  const answers = await Promise.all(everyPlatform.map((platform) => askFor(platform)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await refused({ platform: 'amiga' }, 'platform')
  assert.equal((await without('platform')).status, 422)
})

test('§4.3 request.application_id §5 two kinds of key', async () => {
  const { workspaceKey, applicationId } = tenant
  const missing = await ask({}, workspaceKey)
  assert.deepEqual([missing.status, Object.keys(missing.body.errors)], [422, ['application_id']])
  assert.equal((await ask({ application_id: applicationId }, workspaceKey)).status, 200)
  assert.equal((await ask({})).status, 200)
  assert.equal((await ask({ application_id: applicationId })).status, 200)
})

test('§4.3 request.structure', async () => {
  const expansion_files = [{ filename: 'main.1.a.obb', size_bytes: 10 }]
  assert.equal((await built({})).build_structure, 'file')
  await refused({ structure: 'folder' }, 'structure')
  const apk = {
    structure: 'file+expansion',
    platform: 'android',
    primary_file: { filename: 'a.apk', size_bytes: 10 },
  }
  assert.equal((await ask({ ...apk, expansion_files })).status, 200)
  assert.equal((await ask(apk)).status, 422)
})

test('§4.3 request.stream', async () => {
  assert.equal((await built({ stream: 'stable' })).stream.name, 'stable')
  await refused({ stream: 'none' }, 'stream')
  assert.equal((await without('stream')).status, 422)
})

test('§4.3 request.source §4.3 source slugs', async () => {
  for (const source of ['web-upload', 'cli-upload'])
    assert.equal((await built({ source })).build_source, source)
  await refused({ source: 'by-mail' }, 'source')
  assert.equal((await without('source')).status, 422)
  const { sources, types, hosts } = await slugs()
  assert.equal(sources.length, 23)
  assert.ok(hosts.length >= 23)
  for (const type of ['git', 'svn', 'hg', 'bzr', 'fossil', 'darcs', 'cvs', 'monotone'])
    assert.ok(types.includes(type))
  for (const source of sources) assert.equal((await ask({ source })).status, 200, source)
  for (const vc_host of hosts)
    assert.equal((await ask({ vc_host, vc_host_type: 'git' })).status, 200, vc_host)
})

/** What the published document says may be given. */
async function slugs() {
  const { components } = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as Json
  const { source, vc_host_type, vc_host } = components.schemas.UploadRequest.properties
  const listed = async (field: string, schema: Json): Promise<string[]> => {
    if (schema.enum !== undefined) return schema.enum
    // what is no slug is answered with those that are
    const { body } = await ask({ [field]: 'no such slug' })
    return body.errors[field][0]
      .replace(/^.*those are /, '')
      .replace(/\.$/, '')
      .split(', ')
  }
  return {
    sources: await listed('source', source),
    types: await listed('vc_host_type', vc_host_type),
    hosts: await listed('vc_host', vc_host),
  }
}

test('§4.3 request.primary_file', async () => {
  const build = await built({ primary_file: { filename: 'My game (1).tar.gz' } })
  assert.equal(build.primary_file.filename, 'My game (1).tar.gz')
  assert.equal((await without('primary_file')).status, 422)
  await refused({ primary_file: { filename: 'a.zip' } }, 'primary_file')
  await refused({ primary_file: { filename: 'a.zip', size_bytes: 0 } }, 'primary_file')
  await refused({ primary_file: { filename: '../a.zip', size_bytes: 1 } }, 'primary_file')
})

test('§4.3 request.expansion_files', async () => {
  const { status } = await ask({ expansion_files: [{ filename: 'main.1.a.obb', size_bytes: 10 }] })
  assert.equal(status, 422)
})

for (const part of [
  '§4.3 request.version_component_1_major',
  '§4.3 request.version_component_2_minor',
  '§4.3 request.version_component_3_patch',
])
  test(part, async () => {
    const field = part.replace(/^.* request\./, '')
    const build = await built({ ...versionOf(1, 1, 1), [field]: 37 })
    assert.equal(build[`version_semantic_${field.split('_').at(-1)}`], 37)
    assert.equal((await without(field)).status, 422)
    for (const wrong of [-1, 1.5, 10_000, 'x']) await refused({ [field]: wrong }, field)
  })

test('§4.3 request.version_component_extra', async () => {
  assert.equal((await built({ version_component_extra: 'rc.1' })).version, '1.2.3-rc.1')
  assert.equal((await built({ version_component_extra: '' })).version_semantic_extra, null)
  await refused({ version_component_extra: 'rc_1' }, 'version_component_extra')
})

test('§4.3 request.version_component_meta', async () => {
  assert.equal((await built({ version_component_meta: 'build.7' })).version, '1.2.3+build.7')
  await refused({ version_component_meta: 'a b' }, 'version_component_meta')
})

test('§4.3 request.custom_build_number', async () => {
  const custom_build_number = 'Night #7 / «α»'
  assert.equal((await built({ custom_build_number })).build_number, custom_build_number)
})

test('§4.3 request.labels', async () => {
  const names = async () =>
    ok(
      await service.call('GET', `/applications/${tenant.applicationId}/labels`, { key: tenant.workspaceKey }),
    ).data.map(({ name }: Json) => name as string)
  assert.equal((await names()).includes('brand new'), false)
  const build = await built({ labels: ['brand new', 'Brand New'] })
  assert.deepEqual(
    build.labels.map(({ name }: Json) => name),
    ['brand new'],
  )
  assert.ok((await names()).includes('brand new'))
})

test('§4.3 request.architectures §2.7 architecture values', async () => {
  const primary_file = { filename: 'a.apk' }
  const build = await built({
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
  await refused({ platform: 'linux', architectures: ['sparc-not'] }, 'architectures')
  await refused(
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
  test(line, async () => {
    assert.equal(read(await built({ [field]: fullRequest[field] })), fullRequest[field])
    assert.equal(read(await built({})), null)
    if (field.startsWith('vc_host')) await refused({ [field]: 'nowhere' }, field)
  })

test('§4.3 request.vc_repo_name, vc_repo_url, vc_branch, vc_commit_sha, vc_commit_url', async () => {
  const fields = ['repo_name', 'repo_url', 'branch', 'commit_sha', 'commit_url'] as const
  const { scm } = await built(
    Object.fromEntries(fields.map((field) => [`vc_${field}`, fullRequest[`vc_${field}`]])),
  )
  for (const field of fields) assert.equal(scm[`scm_${field}`], fullRequest[`vc_${field}`])
})

test('§4.1 POST /upload/request §4.3 answer.message §4.3 answer.pending_upload_id §4.3 answer.primary_file §4.3 answer.expansion_files', async () => {
  const answer = ok(await ask({ primary_file: { filename: 'a.zip', size_bytes: 100 } }))
  has({ message: text, pending_upload_id: uuid, expansion_files: is([]) })(answer, 'answer')
  const shape = {
    filename: text,
    presigned_data: has({ url: webUrl, headers: has({ 'Content-Type': text, 'Content-Disposition': text }) }),
    chunked_upload: is(false),
    chunked_number_parts: is(null),
    chunked_part_size_mb: is(null),
  }
  has(shape)(answer.primary_file, 'primary_file')
  const two = ok(
    await ask({
      structure: 'file+expansion',
      platform: 'android',
      primary_file: { filename: 'a.apk', size_bytes: 10 },
      expansion_files: [{ filename: 'main.1.a.obb', size_bytes: 10 }],
    }),
  )
  assert.equal(two.expansion_files.length, 1)
  has(shape)(two.expansion_files[0], 'expansion file')
})
