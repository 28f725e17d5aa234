import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startService, type Service } from '../harness.ts'
import { createEverything, fullRequest, ok, type Everything } from './everything.ts'
import {
  boolean,
  fieldTests,
  has,
  integer,
  is,
  nullOr,
  shortId,
  text,
  timestamp,
  uuid,
  webUrl,
  type Json,
} from './shapes.ts'

let service: Service
let all: Everything
const read: Record<string, Json> = {}

before(async () => {
  service = await startService()
  all = await createEverything(service)
  const { at, get, verified, artifact, release, webhook, request, bare } = all
  const build = `${at}/builds/${verified.build_id}`
  read.application = (await get(at)).data
  read.applications = await get('/applications')
  read.members = (await get(`${at}/members`)).data
  read.platforms = (await get(`${at}/platforms`)).data
  read.streams = (await get(`${at}/streams`)).data
  read.defaultStreams = (await get('/workspace/default-streams')).data
  read.labels = (await get(`${at}/labels`)).data
  read.label = (await get('/workspace/labels/shared')).data
  read.target = (await get(`${at}/custom-targets/handheld`)).data
  read.targets = (await get(`${at}/custom-targets`)).data
  read.builds = (await get(`${at}/builds`)).data
  read.listed = read.builds.find(({ id }: Json) => id === verified.build_id)
  read.bare = read.builds.find(({ id }: Json) => id === bare.id)
  read.build = (await get(build)).data
  read.artifact = (await get(`${build}/metadata/${artifact.metadata_artifact_id}`)).data
  read.releases = (await get(`${at}/releases`)).data
  read.release = (await get(`${at}/releases/${release.id}`)).data
  read.webhooks = (await get(`${at}/webhooks`)).data
  read.webhook = (await get(`${at}/webhooks/${webhook.id}`)).data
  read.request = (await get(`${at}/webhooks/${webhook.id}/requests/${request.id}`)).data
})
after(() => service.close())

const times = { created_at: timestamp, updated_at: timestamp }
const owners = { application_id: shortId, workspace_id: shortId }
/** Single reads carry them, lists never do. */
const onlySingle = (fields: string[], single: Json, listed: Json) => {
  for (const field of fields) {
    assert.ok(field in single, `the single read has no ${field}`)
    assert.ok(!(field in listed), `the list carries ${field}`)
  }
}

test('§2.1 message and data', async () => {
  const { at, get } = all
  for (const path of ['/applications', `${at}/streams`, `${at}/builds`, '/workspace/labels']) {
    const answer = await get(path)
    assert.equal(typeof answer.message, 'string')
    assert.ok(Array.isArray(answer.data))
  }
  for (const path of [at, `${at}/streams/default`, '/workspace']) {
    const answer = await get(path)
    assert.equal(typeof answer.message, 'string')
    assert.ok(!Array.isArray(answer.data) && typeof answer.data === 'object')
  }
})

test('§2.1 timestamps', () => {
  const texts = JSON.stringify(read).matchAll(/"(\w+_at)":"([^"]*)"/g)
  const seen = new Set<string>()
  for (const [, name = '', value = ''] of texts) {
    timestamp(value, name)
    seen.add(name)
  }
  assert.ok(seen.has('created_at') && seen.has('updated_at'))
})

test('§2.1 short identifiers', async () => {
  const { workspace_id, id } = read.application
  const [member] = read.members
  for (const value of [
    id,
    workspace_id,
    read.build.id,
    read.release.id,
    read.streams[0].id,
    read.label.id,
    member.id,
  ])
    shortId(value, 'id')
})

test('§2.1 UUID identifiers', () => {
  const { build, artifact, target, defaultStreams, webhook, request } = read
  for (const { id } of [
    build.primary_file,
    build.expansion_files[0],
    artifact,
    target,
    defaultStreams[0],
    webhook,
    request,
  ])
    uuid(id, 'id')
})

fieldTests(() => read.applications.pagination, {
  '§2.1 pagination.current_page': { current_page: is(1) },
  '§2.1 pagination.per_page': { per_page: is(10) },
  '§2.1 pagination.total': { total: is(1) },
  '§2.1 pagination.last_page': { last_page: is(1) },
  '§2.1 pagination.from': { from: is(1) },
  '§2.1 pagination.to': { to: is(1) },
})

fieldTests(() => read.application, {
  '§2.2 application.id': { id: shortId },
  '§2.2 application.name': { name: text },
  '§2.2 application.description': { description: is('The game') },
  '§2.2 application.icon_url': { icon_url: nullOr(webUrl) },
  '§2.2 application.custom_store_enabled': { custom_store_enabled: boolean },
  '§2.2 application.storage_usage': {
    // the build of two files, its artifact and the bare one
    storage_usage: is({
      total_bytes: 3088,
      total_string: '3.02 KB',
      hosted_bytes: 3088,
      self_hosted_bytes: 0,
    }),
  },
  '§2.2 application.workspace_id': { workspace_id: shortId },
  '§2.2 application.created_at, updated_at': times,
})

test('§2.2 application.build_count', () => {
  assert.equal(read.application.build_count, 2)
  onlySingle(['build_count'], read.application, read.applications.data[0])
})

fieldTests(() => read.members[0], {
  '§2.3 member.id': { id: shortId },
  '§2.3 member.name': { name: is('Ada') },
  '§2.3 member.email': { email: text },
  '§2.3 member.profile_photo_url': { profile_photo_url: nullOr(webUrl) },
  '§2.3 member.role': { role: is('qa') },
})

fieldTests(() => read.platforms.find(({ identifier }: Json) => identifier === 'android'), {
  '§2.4 platform.identifier': { identifier: is('android') },
  '§2.4 platform.name': { name: text },
  '§2.4 platform.short_name': { short_name: text },
  '§2.4 platform.upload_instruction': { upload_instruction: text },
})

fieldTests(() => read.streams.find(({ name }: Json) => name === 'nightlies'), {
  '§2.5 stream.id': { id: shortId },
  '§2.5 stream.name': { name: is('nightlies') },
  '§2.5 stream.description': { description: nullOr(text) },
  '§2.5 stream.retention_days': { retention_days: nullOr(integer) },
  '§2.5 stream.created_at, updated_at': times,
})

test('§2.5 default streams', async () => {
  const names = (streams: Json[]) => streams.map(({ name }) => name as string).toSorted()
  assert.deepEqual(names(read.defaultStreams), ['default', 'nightlies', 'stable'])
  for (const stream of read.defaultStreams) uuid(stream.id, 'id of a template')
  await all.post('/workspace/default-streams', { name: 'weekly', retention_days: 30 })
  const made = await all.post('/applications', { name: 'Next' })
  const streams = (await all.get(`/applications/${made.id}/streams`)).data
  assert.deepEqual(names(streams), ['default', 'nightlies', 'stable', 'weekly'])
  assert.equal(streams.find(({ name }: Json) => name === 'weekly').retention_days, 30)
  assert.equal(names((await all.get(`${all.at}/streams`)).data).includes('weekly'), false)
})

fieldTests(() => read.labels.find(({ name }: Json) => name === 'shared'), {
  '§2.6 label.id': { id: shortId },
  '§2.6 label.name': { name: is('shared') },
  '§2.6 label.description': { description: is('for all') },
  '§2.6 label.color': { color: is('#12abef') },
  '§2.6 label.level': { level: is('workspace') },
  '§2.6 label.created_at, updated_at': times,
})

test('§2.6 label.application_id, workspace_id', () => {
  onlySingle(['application_id', 'workspace_id'], read.label, read.labels[0])
  assert.deepEqual([read.label.application_id, read.label.workspace_id], [null, all.tenant.workspaceId])
  assert.equal(read.labels.find(({ name }: Json) => name === 'Signed').level, 'application')
})

fieldTests(() => read.build.architectures[0], {
  '§2.7 architecture.identifier': { identifier: is('arm64v8') },
  '§2.7 architecture.name': { name: text },
  '§2.7 architecture.description': { description: text },
})

fieldTests(() => read.target, {
  '§2.8 target.id': { id: uuid },
  '§2.8 target.name': { name: is('handheld') },
  '§2.8 target.description': { description: is('ours') },
  '§2.8 target.platform': { platform: is({ identifier: 'android', name: 'Android' }) },
  '§2.8 target.icon_url': { icon_url: is(null) },
  '§2.8 target.created_at, updated_at': times,
})

test('§2.8 target.level', () => {
  const levels = Object.fromEntries(read.targets.map(({ name, level }: Json) => [name, level]))
  assert.deepEqual(levels, { handheld: 'application', kiosk: 'workspace' })
})

fieldTests(() => read.listed, {
  '§2.9 build.id': { id: shortId },
  '§2.9 build.build_structure': { build_structure: is('file+expansion') },
  '§2.9 build.version': { version: is('4.5.6-beta.2+build.7') },
  '§2.9 build.version_short': { version_short: is('4.5.6') },
  '§2.9 build.version_semantic_major, minor, patch': {
    version_semantic_major: is(4),
    version_semantic_minor: is(5),
    version_semantic_patch: is(6),
  },
  '§2.9 build.build_number': { build_number: is('B-4711 (night)') },
  '§2.9 build.platform': { platform: has({ identifier: is('android'), name: text, short_name: text }) },
  '§2.9 build.stream': { stream: has({ id: shortId, name: is('nightlies'), ...times }) },
  '§2.9 build.notes': { notes: is('What is **new**') },
  '§2.9 build.size_total_bytes': { size_total_bytes: is(2000) },
  '§2.9 build.size_total_string': { size_total_string: is('1.95 KB') },
  '§2.9 build.metadata_total_bytes': { metadata_total_bytes: is(64) },
  '§2.9 build.build_source': { build_source: is('cli-upload') },
  '§2.9 build.ci_pipeline': {
    ci_pipeline: is({
      ci_pipeline_name: 'release',
      ci_pipeline_url: null,
      ci_run_id: '77',
      ci_run_url: 'https://ci.example.com/77',
      ci_build_duration: '00:15:30',
    }),
  },
  '§2.9 build.scm': {
    scm: is({
      scm_host_type: 'git',
      scm_host: 'github',
      scm_repo_name: fullRequest.vc_repo_name,
      scm_repo_url: fullRequest.vc_repo_url,
      scm_branch: 'main',
      scm_commit_sha: fullRequest.vc_commit_sha,
      scm_commit_sha_short: '0123456',
      scm_commit_url: fullRequest.vc_commit_url,
    }),
  },
  '§2.9 build.pending': { pending: is(false) },
  '§2.9 build.modal_url': { modal_url: webUrl },
  '§2.9 build.download_url': { download_url: webUrl },
  '§2.9 build.built_at, created_at, updated_at': { built_at: nullOr(timestamp), ...times },
})

test('§2.9 build.version_semantic_extra', () => {
  assert.equal(read.listed.version_semantic_extra, 'beta.2')
  assert.equal(read.bare.version_semantic_extra, null)
})

test('§2.9 build.version_semantic_meta', () => {
  assert.equal(read.listed.version_semantic_meta, 'build.7')
  assert.equal(read.bare.version_semantic_meta, null)
})

test('§2.9 build.labels', () => {
  assert.deepEqual(
    read.listed.labels.map(({ name, level }: Json) => [name, level]),
    [
      ['shared', 'workspace'],
      ['Signed', 'application'],
    ],
  )
  assert.deepEqual(read.bare.labels, [])
})

test('§2.9 build.architectures', () => {
  assert.deepEqual(
    read.listed.architectures.map(({ identifier }: Json) => identifier),
    ['arm64v8', 'x64'],
  )
  assert.deepEqual(read.bare.architectures, [])
})

fieldTests(() => read.build, {
  '§2.9 full build.primary_file': { primary_file: has({ filename: is('game.apk'), size_bytes: is(1500) }) },
  '§2.9 full build.ios_info, android_info': { ios_info: is(null), android_info: nullOr(has({})) },
})

test('§2.9 full build.application_id, workspace_id', () => {
  const fields = ['primary_file', 'expansion_files', 'metadata_artifacts', 'ios_info', 'android_info']
  onlySingle(['application_id', 'workspace_id', ...fields], read.build, read.listed)
  has(owners)(read.build, 'build')
})

test('§2.9 full build.expansion_files', () => {
  const [file] = read.build.expansion_files
  assert.equal(read.build.expansion_files.length, 1)
  has({ id: uuid, filename: is('main.1.com.example.game.obb'), size_bytes: is(500) })(file, 'expansion file')
})

test('§2.9 full build.metadata_artifacts', () => {
  assert.deepEqual(read.build.metadata_artifacts, [read.artifact])
  assert.deepEqual(all.bare.metadata_artifacts, [])
})

fieldTests(() => read.build.primary_file, {
  '§2.10 file.id': { id: uuid },
  '§2.10 file.filename': { filename: is('game.apk') },
  '§2.10 file.size_bytes': { size_bytes: is(1500) },
  '§2.10 file.size_string': { size_string: is('1.46 KB') },
  '§2.10 file.filetype': { filetype: has({ identifier: is('apk'), name: text, extension: text }) },
  '§2.10 file.created_at, updated_at': times,
})

test('§2.10 file.checksum_md5', () => {
  assert.equal(read.build.primary_file.checksum_md5, createHash('md5').update(all.primary).digest('hex'))
})

fieldTests(() => read.artifact, {
  '§2.11 artifact.id': { id: uuid },
  '§2.11 artifact.filename': { filename: is('notes.txt') },
  '§2.11 artifact.size_bytes': { size_bytes: is(64) },
  '§2.11 artifact.size_string': { size_string: is('64 B') },
  '§2.11 artifact.checksum_md5': { checksum_md5: text },
  '§2.11 artifact.metadata_filetype': {
    metadata_filetype: has({ identifier: text, name: text, extension: text }),
  },
  '§2.11 artifact.created_at, updated_at': times,
})

fieldTests(() => read.releases[0], {
  '§2.12 release.id': { id: shortId },
  '§2.12 release.version': {
    version: is('4.5.6-rc.1'),
    version_short: is('4.5.6'),
    version_semantic_major: is(4),
    version_semantic_minor: is(5),
    version_semantic_patch: is(6),
    version_semantic_extra: is('rc.1'),
    version_semantic_meta: is(null),
  },
  '§2.12 release.title': { title: is('Spring') },
  '§2.12 release.build_count': { build_count: is(1) },
  '§2.12 release.created_at, updated_at': times,
})

test('§2.12 release.labels', () => {
  assert.deepEqual(
    read.releases[0].labels.map(({ name }: Json) => name),
    ['shared'],
  )
})

test('§2.12 release.notes', () => {
  assert.equal(read.release.notes, '# Spring')
  onlySingle(['notes'], read.release, read.releases[0])
})

test('§2.12 release.builds', () => {
  onlySingle(['builds'], read.release, read.releases[0])
  assert.deepEqual(
    read.release.builds.map(({ id }: Json) => id),
    [all.verified.build_id],
  )
  has({ platform: has({ identifier: is('android') }), ...times })(
    read.release.builds[0],
    'build of the release',
  )
})

test('§2.12 release.application_id, workspace_id', () => {
  onlySingle(['application_id', 'workspace_id'], read.release, read.releases[0])
  has(owners)(read.release, 'release')
})

fieldTests(() => read.webhook, {
  '§2.13 webhook.id': { id: uuid },
  '§2.13 webhook.description': { description: is('to chat') },
  '§2.13 webhook.url': { url: is('https://example.com/hook') },
  '§2.13 webhook.event': { event: is('build.created.stream') },
  '§2.13 webhook.format': { format: is('json') },
  '§2.13 webhook.level': { level: is('application') },
  '§2.13 webhook.is_active': { is_active: is(true) },
  '§2.13 webhook.in_error_state': { in_error_state: is(false) },
  '§2.13 webhook.last_successful_request_at': { last_successful_request_at: nullOr(timestamp) },
  '§2.13 webhook.last_failed_request_at': { last_failed_request_at: nullOr(timestamp) },
  '§2.13 webhook.application_id, workspace_id': owners,
  '§2.13 webhook.created_at, updated_at': times,
})

test('§2.13 webhook.secret_configured', async () => {
  assert.equal(read.webhook.secret_configured, true)
  assert.ok(!JSON.stringify([read.webhook, read.webhooks]).includes('a secret of 32'))
  const plain = await all.post(`${all.at}/webhooks`, { url: 'https://example.com/2', event: 'build.deleted' })
  assert.equal(plain.secret_configured, false)
})

test('§2.13 webhook.event_subscription', async () => {
  const { event, stream, label } = read.webhook.event_subscription
  assert.deepEqual([event, stream.name, label], ['build.created.stream', 'nightlies', null])
  const body = { url: 'https://example.com/3', event: 'build.label.added', label: 'Signed' }
  const labelled = (await all.post(`${all.at}/webhooks`, body)).event_subscription
  has({ stream: is(null), label: has({ id: shortId, name: is('Signed'), color: text }) })(
    labelled,
    'subscription',
  )
})

test('§2.13 webhook.latest_webhook_request', async () => {
  onlySingle(['latest_webhook_request'], read.webhook, read.webhooks[0])
  assert.equal(read.webhook.latest_webhook_request.id, all.request.id)
})

fieldTests(() => read.request, {
  '§2.14 webhook request.id': { id: uuid },
  '§2.14 webhook request.event, url': {
    event: is('build.created.stream'),
    url: is('https://example.com/hook'),
  },
  '§2.14 webhook request.duration': { duration: nullOr((value) => assert.equal(typeof value, 'number')) },
  '§2.14 webhook request.request_headers': { request_headers: has({}) },
  '§2.14 webhook request.request_payload': {
    request_payload: has({ id: uuid, event: is('build.created.stream'), created: integer, data: has({}) }),
  },
  '§2.14 webhook request.response_code': { response_code: nullOr(integer) },
  '§2.14 webhook request.response_headers': { response_headers: nullOr(has({})) },
  '§2.14 webhook request.response_payload': { response_payload: nullOr(text) },
  '§2.14 webhook request.delivery_attempts': { delivery_attempts: integer },
  '§2.14 webhook request.created_at': { created_at: timestamp },
})

test('§2.15 other resources', async () => {
  const { at, verified } = all
  for (const [path, body] of [
    ['/distribution-groups', { name: 'Testers' }],
    ['/portals', { name: 'Public' }],
    [`${at}/builds/${verified.build_id}/share-links`, {}],
  ] as const) {
    const made = await all.post(path, body)
    const listed = ok(await service.call('GET', path, { key: all.key })).data
    assert.ok(
      listed.some(({ id }: Json) => id === made.id),
      path,
    )
  }
})
