import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createEverything, readEverything } from './everything.ts'
import {
  type Json,
  boolean,
  fieldTests,
  integer,
  is,
  nullOr,
  onlySingle,
  shortId,
  text,
  times,
  timestamp,
  uuid,
  webUrl,
} from './shapes.ts'

const all = await createEverything()
const read = await readEverything(all)
after(() => all.service.close())

test('returns a message and a data object or array in every successful response (§2.1 message and data)', async () => {
  const { base, get } = all
  for (const path of ['/applications', `${base}/streams`, `${base}/builds`, '/workspace/labels']) {
    const response = await get(path)
    assert.equal(typeof response.message, 'string')
    assert.ok(Array.isArray(response.data))
  }
  for (const path of [base, `${base}/streams/default`, '/workspace']) {
    const response = await get(path)
    assert.equal(typeof response.message, 'string')
    assert.ok(!Array.isArray(response.data) && typeof response.data === 'object')
  }
})

test('returns ISO 8601 timestamps in UTC with microseconds (§2.1 timestamps)', () => {
  const texts = JSON.stringify(read).matchAll(/"(\w+_at)":"([^"]*)"/g)
  const seen = new Set<string>()
  for (const [, name = '', value = ''] of texts) {
    timestamp(value, name)
    seen.add(name)
  }
  assert.ok(seen.has('created_at') && seen.has('updated_at'))
})

test('uses short identifiers of 10 or 12 characters (§2.1 short identifiers)', async () => {
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

test('identifies files, metadata artifacts, custom targets, default streams and webhooks by UUID (§2.1 UUID identifiers)', () => {
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

fieldTests(read.applications.pagination, {
  '§2.1 pagination.current_page, per_page, total, last_page, from, to': {
    current_page: is(1),
    per_page: is(10),
    total: is(1),
    last_page: is(1),
    from: is(1),
    to: is(1),
  },
})

fieldTests(read.application, {
  '§2.2 application.id': { id: shortId },
  '§2.2 application.name': { name: text },
  '§2.2 application.description': { description: is('The game') },
  '§2.2 application.icon_url': { icon_url: nullOr(webUrl) },
  '§2.2 application.custom_store_enabled': { custom_store_enabled: boolean },
  '§2.2 application.storage_usage': {
    // The application has two builds: one with two files and a metadata artifact, and one with a single file.
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

test('includes the build count only in the response for a single application (§2.2 application.build_count)', () => {
  assert.equal(read.application.build_count, 2)
  onlySingle(['build_count'], read.application, read.applications.data[0])
})

fieldTests(read.members[0], {
  '§2.3 member.id': { id: shortId },
  '§2.3 member.name': { name: is('Ada') },
  '§2.3 member.email': { email: text },
  '§2.3 member.profile_photo_url': { profile_photo_url: webUrl },
  '§2.3 member.role': { role: is('qa') },
})

fieldTests(
  read.platforms.find(({ identifier }: Json) => identifier === 'android'),
  {
    '§2.4 platform.identifier': { identifier: is('android') },
    '§2.4 platform.name': { name: text },
    '§2.4 platform.short_name': { short_name: text },
    '§2.4 platform.upload_instruction': { upload_instruction: text },
  },
)

fieldTests(
  read.streams.find(({ name }: Json) => name === 'nightlies'),
  {
    '§2.5 stream.id': { id: shortId },
    '§2.5 stream.name': { name: is('nightlies') },
    '§2.5 stream.description': { description: nullOr(text) },
    '§2.5 stream.retention_days': { retention_days: nullOr(integer) },
    '§2.5 stream.created_at, updated_at': times,
  },
)

test('copies the default streams to a new application (§2.5 default streams)', async () => {
  const names = (streams: Json[]) => streams.map(({ name }) => name as string).toSorted()
  assert.deepEqual(names(read.defaultStreams), ['default', 'nightlies', 'stable'])
  for (const stream of read.defaultStreams) uuid(stream.id, 'id of a default stream')
  await all.post('/workspace/default-streams', { name: 'weekly', retention_days: 30 })
  const created = await all.post('/applications', { name: 'Next' })
  const streams = (await all.get(`/applications/${created.id}/streams`)).data
  assert.deepEqual(names(streams), ['default', 'nightlies', 'stable', 'weekly'])
  assert.equal(streams.find(({ name }: Json) => name === 'weekly').retention_days, 30)
  assert.equal(names((await all.get(`${all.base}/streams`)).data).includes('weekly'), false)
})

fieldTests(
  read.labels.find(({ name }: Json) => name === 'shared'),
  {
    '§2.6 label.id': { id: shortId },
    '§2.6 label.name': { name: is('shared') },
    '§2.6 label.description': { description: is('for all') },
    '§2.6 label.color': { color: is('#12abef') },
    '§2.6 label.level': { level: is('workspace') },
    '§2.6 label.created_at, updated_at': times,
  },
)

test('includes application_id and workspace_id only in the response for a single label (§2.6 label.application_id, workspace_id)', () => {
  onlySingle(['application_id', 'workspace_id'], read.label, read.labels[0])
  assert.deepEqual([read.label.application_id, read.label.workspace_id], [null, all.tenant.workspaceId])
  assert.equal(read.labels.find(({ name }: Json) => name === 'Signed').level, 'application')
})

fieldTests(read.build.architectures[0], {
  '§2.7 architecture.identifier': { identifier: is('arm64v8') },
  '§2.7 architecture.name': { name: text },
  '§2.7 architecture.description': { description: text },
})

fieldTests(read.target, {
  '§2.8 target.id': { id: uuid },
  '§2.8 target.name': { name: is('handheld') },
  '§2.8 target.description': { description: is('ours') },
  '§2.8 target.platform': { platform: is({ identifier: 'android', name: 'Android' }) },
  '§2.8 target.icon_url': { icon_url: is(null) },
  '§2.8 target.created_at, updated_at': times,
})

test('returns the level of a custom target (§2.8 target.level)', () => {
  const levels = Object.fromEntries(read.targets.map(({ name, level }: Json) => [name, level]))
  assert.deepEqual(levels, { handheld: 'application', kiosk: 'workspace' })
})
