import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path: string, body?: unknown, owner = tenant) =>
  service.call(method, `/applications/${owner.applicationId}/builds${path}`, {
    key: owner.applicationKey,
    body,
  })

async function eventsAbout(buildId: string): Promise<string[]> {
  const rows = await service.deps.db.selectFrom('events').selectAll().orderBy('id').execute()
  return rows
    .filter(({ data }) => (data as { build?: { id: string } }).build?.id === buildId)
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('build.created') && name !== 'build.processed')
}

test('updates only the submitted fields of a build and records its old and new state in the audit log', async () => {
  const { build } = await uploadedBuild(service, tenant, { notes: 'words', version_component_extra: 'rc.1' })
  const { status, body } = await send('PATCH', `/${build.id}`, {
    version_component_2_minor: 9,
    version_component_extra: null,
    custom_build_number: '77',
    keep_forever: true,
    architectures: ['x64'],
  })
  assert.equal(status, 200)
  assert.equal(body.data.version, '1.9.3')
  assert.deepEqual([body.data.build_number, body.data.notes, body.data.keep_forever], ['77', 'words', true])
  assert.deepEqual((await send('GET', `/${build.id}`)).body.data, body.data)
  const entry = await auditEntry(service, build.id)
  assert.equal(entry.action, 'build.updated')
  assert.equal((entry.before as { version: string }).version, '1.2.3-rc.1')
  assert.equal((entry.after as { version: string }).version, '1.9.3')
  assert.deepEqual(await eventsAbout(build.id), [])
})

test('uses the new version of an updated build when sorting the list', async () => {
  const owner = await service.tenant()
  const { build: low } = await uploadedBuild(service, owner, { version_component_3_patch: 1 })
  const { build: high } = await uploadedBuild(service, owner, { version_component_3_patch: 2 })
  await send('PATCH', `/${low.id}`, { version_component_1_major: 10 }, owner)
  const { body } = await send('GET', '?sort_by=version', undefined, owner)
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    [high.id, low.id],
  )
})

test('moves a build to a stream by name or ID and records no event if the stream does not change', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { status, body } = await send('PUT', `/${build.id}/stream`, { stream: 'stable' })
  assert.equal(status, 200)
  assert.equal(body.data.stream.name, 'stable')
  assert.equal((await send('PUT', `/${build.id}/stream`, { stream: body.data.stream.id })).status, 200)
  assert.deepEqual(await eventsAbout(build.id), ['build.moved', 'build.moved.stream'])
})

test('replaces the labels of a build using IDs or new names and records an event for each added label', async () => {
  const { build } = await uploadedBuild(service, tenant, { labels: ['old', 'kept'] })
  const kept = build.labels.find((label: { name: string }) => label.name === 'kept')
  const { status, body } = await send('PUT', `/${build.id}/labels`, { labels: [kept.id, ' fresh ', 'FRESH'] })
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.labels.map(({ name }: { name: string }) => name),
    ['fresh', 'kept'],
  )
  assert.deepEqual(await eventsAbout(build.id), ['build.label.added'])
  assert.deepEqual((await send('PUT', `/${build.id}/labels`, { labels: [] })).body.data.labels, [])
})

test('accepts only architectures that the platform of the build supports', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { body } = await send('PUT', `/${build.id}/architectures`, { architectures: ['x64', 'x86', 'x64'] })
  assert.deepEqual(
    body.data.architectures.map(({ identifier }: { identifier: string }) => identifier),
    ['x64', 'x86'],
  )
  const wrong = await send('PUT', `/${build.id}/architectures`, { architectures: ['x64', 'z80'] })
  assert.equal(wrong.status, 422)
  assert.ok('architectures.1' in wrong.body.errors)
})

for (const [problem, body, field] of [
  ['no fields', {}, 'body'],
  ['only unknown fields', { unknown: 1 }, 'body'],
  ['an unknown stream', { stream: 'nowhere' }, 'stream'],
  ['an unknown custom target', { custom_target: 'nowhere' }, 'custom_target'],
  [
    'version 0.0.0',
    { version_component_1_major: 0, version_component_2_minor: 0, version_component_3_patch: 0 },
    'version_component_1_major',
  ],
  ['an empty pre-release identifier', { version_component_extra: 'rc..1' }, 'version_component_extra'],
  ['11 labels', { labels: Array(11).fill('x') }, 'labels'],
  ['notes of 1001 characters', { notes: 'x'.repeat(1001) }, 'notes'],
  ['a keep_forever value that is not a boolean', { keep_forever: 'yes' }, 'keep_forever'],
] as const) {
  test(`rejects a build update with ${problem}`, async () => {
    const { build } = await uploadedBuild(service, tenant)
    const response = await send('PATCH', `/${build.id}`, body)
    assert.equal(response.status, 422)
    assert.ok(field in response.body.errors, response.text)
  })
}

test('returns 404 for a deleted build and omits it from the list until it is restored', async () => {
  const owner = await service.tenant()
  const { build } = await uploadedBuild(service, owner, { labels: ['mark'] })
  assert.equal((await send('DELETE', `/${build.id}`, undefined, owner)).status, 200)
  assert.equal((await auditEntry(service, build.id)).action, 'build.deleted')
  assert.equal((await send('GET', `/${build.id}`, undefined, owner)).status, 404)
  assert.equal((await send('GET', `/${build.id}/download`, undefined, owner)).status, 404)
  assert.equal((await send('PATCH', `/${build.id}`, { notes: 'x' }, owner)).status, 404)
  assert.equal((await send('DELETE', `/${build.id}`, undefined, owner)).status, 404)
  assert.equal((await send('GET', '', undefined, owner)).body.pagination.total, 0)
  const restored = await send('POST', `/${build.id}/restore`, undefined, owner)
  assert.equal(restored.status, 200)
  assert.equal(restored.body.data.labels[0].name, 'mark')
  assert.equal((await send('GET', '', undefined, owner)).body.pagination.total, 1)
  assert.equal((await send('POST', `/${build.id}/restore`, undefined, owner)).body.code, 'build.not_in_trash')
  assert.deepEqual(await eventsAbout(build.id), ['build.deleted'])
})

test('lets only one of ten concurrent requests delete a build', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const responses = await Promise.all(Array.from({ length: 10 }, () => send('DELETE', `/${build.id}`)))
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, ...Array(9).fill(404)],
  )
  assert.deepEqual(await eventsAbout(build.id), ['build.deleted'])
})

test('creates only one label when 20 concurrent requests add the same new label to a build', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => send('PUT', `/${build.id}/labels`, { labels: ['same new label'] })),
  )
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  const labels = await service.deps.db
    .selectFrom('labels')
    .select('id')
    .where('owner_id', '=', tenant.applicationId)
    .where('name', '=', 'same new label')
    .execute()
  assert.equal(labels.length, 1)
})

test('applies a bulk action to the remaining builds when some builds are not found', async () => {
  const owner = await service.tenant()
  const builds = await Promise.all([1, 2, 3].map(() => uploadedBuild(service, owner)))
  const ids = builds.map(({ build }) => build.id as string)
  const foreign = (await uploadedBuild(service, tenant)).build.id as string
  const bulk = (body: object) =>
    send('POST', '/bulk', { build_ids: [...ids, foreign, 'nothing'], ...body }, owner)
  for (const action of [
    { action: 'move', stream: 'stable' },
    { action: 'label', labels: ['a', 'b'] },
    { action: 'unlabel', labels: ['B'] },
    { action: 'keep' },
  ]) {
    const { status, body } = await bulk(action)
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.map(({ done, code }: { done: boolean; code?: string }) => code ?? done),
      [true, true, true, 'resource.not_found', 'resource.not_found'],
    )
  }
  const { body } = await send('GET', '?streams=stable&labels=a', undefined, owner)
  assert.equal(body.pagination.total, 3)
  for (const build of body.data) assert.deepEqual([build.keep_forever, build.labels.length], [true, 1])
  for (const id of ids)
    assert.deepEqual(await eventsAbout(id), [
      'build.moved',
      'build.moved.stream',
      'build.label.added',
      'build.label.added',
    ])
  await bulk({ action: 'unkeep' })
  assert.equal((await bulk({ action: 'delete' })).body.data[2].done, true)
  assert.equal((await send('GET', '', undefined, owner)).body.pagination.total, 0)
  assert.equal((await bulk({ action: 'restore' })).body.data[0].done, true)
  assert.equal((await send('GET', '', undefined, owner)).body.pagination.total, 3)
})

test('writes the same audit entries and events for a bulk action as for single changes, in one transaction', async () => {
  const owner = await service.tenant()
  const builds = await Promise.all([1, 2, 3].map(() => uploadedBuild(service, owner)))
  const ids = builds.map(({ build }) => build.id as string)
  const bulk = (body: object) => send('POST', '/bulk', { build_ids: ids, ...body }, owner)
  const summary = async (id: string) => {
    const { action, before, after } = await auditEntry(service, id)
    return { action, before, after }
  }
  await send('PATCH', `/${ids[0]}`, { stream: 'stable', labels: ['x'] }, owner)
  const single = await summary(ids[0]!)
  await send('PATCH', `/${ids[0]}`, { stream: 'default', labels: [] }, owner)
  await bulk({ action: 'label', labels: ['x'] })
  await bulk({ action: 'move', stream: 'stable' })
  for (const id of ids) {
    const { action, after } = await summary(id)
    assert.deepEqual([action, after], [single.action, single.after])
  }
  const { rows } = await sql<{ transactions: number }>`
    select count(distinct xmin::text)::int as transactions from builds where id = any(${ids})`.execute(
    service.deps.db,
  )
  assert.equal(rows[0]?.transactions, 1)
  await bulk({ action: 'move', stream: 'stable' })
  const entries = await service.deps.db
    .selectFrom('audit_entries')
    .select('id')
    .where('subject_id', 'in', ids)
    .where('action', '=', 'build.updated')
    .execute()
  assert.equal(entries.length, 2 + 2 * ids.length)
})

test('applies a bulk action to the other builds when one of them cannot be changed', async () => {
  const owner = await service.tenant()
  const builds = await Promise.all([1, 2, 3].map(() => uploadedBuild(service, owner)))
  const ids = builds.map(({ build }) => build.id as string)
  const names = Array.from({ length: 10 }, (_, index) => `label ${index}`)
  await send('PUT', `/${ids[1]}/labels`, { labels: names }, owner)
  const { body } = await send('POST', '/bulk', { build_ids: ids, action: 'label', labels: ['more'] }, owner)
  assert.deepEqual(
    body.data.map(({ build_id, done, code }: { build_id: string; done: boolean; code?: string }) => [
      build_id,
      code ?? done,
    ]),
    [
      [ids[0], true],
      [ids[1], 'request.invalid'],
      [ids[2], true],
    ],
  )
  assert.equal((await send('GET', '?labels=more', undefined, owner)).body.pagination.total, 2)
})

for (const [request, body, field] of [
  ['a bulk move without a stream', { action: 'move' }, 'stream'],
  ['a bulk move to an unknown stream', { action: 'move', stream: 'nowhere' }, 'stream'],
  ['a bulk label action without labels', { action: 'label' }, 'labels'],
  ['an unknown bulk action', { action: 'explode' }, 'action'],
  ['a bulk action without builds', { action: 'keep', build_ids: [] }, 'build_ids'],
  [
    'a bulk action on 101 builds',
    { action: 'keep', build_ids: Array.from({ length: 101 }, (_, i) => `${i}`) },
    'build_ids',
  ],
] as const) {
  test(`rejects ${request}`, async () => {
    const response = await send('POST', '/bulk', { build_ids: ['x'], ...body })
    assert.equal(response.status, 422)
    assert.ok(field in response.body.errors)
  })
}
