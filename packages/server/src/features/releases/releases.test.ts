import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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

const send = (method: string, path: string, body?: unknown, of = tenant) =>
  service.call(method, `/applications/${of.applicationId}${path}`, { key: of.applicationKey, body })

const releaseWith = (fields: Record<string, unknown> = {}) => ({
  title: 'A release',
  version_component_1_major: 1,
  version_component_2_minor: 0,
  version_component_3_patch: 0,
  ...fields,
})

async function createRelease(fields: Record<string, unknown> = {}, of = tenant) {
  const { status, body, text } = await send('POST', '/releases', releaseWith(fields), of)
  assert.equal(status, 201, text)
  return body.data
}

async function eventsAbout(id: string): Promise<string[]> {
  const rows = await service.deps.db.selectFrom('events').selectAll().orderBy('id').execute()
  return rows
    .filter(({ data }) => (data as { release?: { id: string } }).release?.id === id)
    .map(({ name }) => name)
}

const idsOf = (resources: { id: string }[]) => resources.map(({ id }) => id)

test('creates a release with builds, labels and notes and returns the same data on GET', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const release = await createRelease({
    title: ' Spring ',
    notes: '# New',
    labels: ['public'],
    build_ids: [build.id],
    version_component_extra: 'rc.1',
  })
  assert.deepEqual([release.title, release.notes, release.version], ['Spring', '# New', '1.0.0-rc.1'])
  assert.deepEqual([release.build_count, idsOf(release.builds)], [1, [build.id]])
  assert.equal(release.application_id, tenant.applicationId)
  assert.deepEqual((await send('GET', `/releases/${release.id}`)).body.data, release)
  const entry = await auditEntry(service, release.id)
  assert.equal(entry.action, 'release.created')
  assert.deepEqual((entry.after as { builds: string[] }).builds, [build.id])
  assert.deepEqual(await eventsAbout(release.id), ['release.created'])
})

test('omits notes, builds, application_id and workspace_id from release lists', async () => {
  const of = await service.tenant()
  await createRelease({ notes: 'x' }, of)
  const { body } = await send('GET', '/releases', undefined, of)
  assert.deepEqual(Object.keys(body.data[0]).toSorted(), [
    'build_count',
    'created_at',
    'id',
    'labels',
    'platforms',
    'published_at',
    'scheduled_for',
    'status',
    'title',
    'updated_at',
    'version',
    'version_semantic_extra',
    'version_semantic_major',
    'version_semantic_meta',
    'version_semantic_minor',
    'version_semantic_patch',
    'version_short',
    'withdrawn_at',
  ])
})

test('sorts, filters, searches and paginates releases and rejects invalid query parameters', async () => {
  const of = await service.tenant()
  const { build } = await uploadedBuild(service, of, {
    platform: 'android',
    primary_file: { filename: 'a.apk' },
  })
  const beta11 = await createRelease({ title: 'beta eleven', version_component_extra: 'beta.11' }, of)
  const beta2 = await createRelease(
    { title: 'Alpha', version_component_extra: 'beta.2', labels: ['lab'] },
    of,
  )
  const final = await createRelease({ title: 'zeta 100%', build_ids: [build.id] }, of)
  const list = async (query: string) => {
    const { body, status, text } = await send('GET', `/releases${query}`, undefined, of)
    assert.equal(status, 200, text)
    return idsOf(body.data)
  }
  assert.deepEqual(await list(''), [beta11.id, beta2.id, final.id])
  assert.deepEqual(await list('?sort_by=version'), [beta2.id, beta11.id, final.id])
  assert.deepEqual(await list('?sort_by=title&sort=desc'), [final.id, beta11.id, beta2.id])
  assert.deepEqual(await list('?labels=LAB'), [beta2.id])
  assert.deepEqual(await list('?platforms=android,ios'), [final.id])
  assert.deepEqual(await list('?platforms=linux'), [])
  assert.deepEqual(await list('?search=0%25'), [final.id])
  assert.deepEqual(await list('?search=beta.2'), [beta2.id])
  assert.deepEqual(await list(`?search=${beta11.id}`), [beta11.id])
  assert.deepEqual(await list('?per_page=1&page=2'), [beta2.id])
  for (const invalid of [
    'platforms=amiga',
    'labels=nothing',
    'sort_by=notes',
    'per_page=101',
    `search=${'x'.repeat(51)}`,
  ])
    assert.equal((await send('GET', `/releases?${invalid}`, undefined, of)).status, 422, invalid)
})

test('updates only the release fields included in the request', async () => {
  const release = await createRelease({ notes: 'words', labels: ['one'] })
  const { body } = await send('PATCH', `/releases/${release.id}`, {
    title: 'Two',
    version_component_3_patch: 7,
  })
  assert.deepEqual([body.data.title, body.data.version, body.data.notes], ['Two', '1.0.7', 'words'])
  assert.equal(body.data.labels[0].name, 'one')
  assert.equal((await send('PATCH', `/releases/${release.id}`, { notes: null })).body.data.notes, null)
  const entry = await auditEntry(service, release.id)
  assert.equal((entry.before as { notes: string }).notes, 'words')
  assert.deepEqual(await eventsAbout(release.id), ['release.created', 'release.updated', 'release.updated'])
})

test('does not record an event for a request that changes nothing', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { id, title } = await createRelease({ labels: ['one'], build_ids: [build.id] })
  const path = `/releases/${id}`
  const writes: [string, string, unknown?][] = [
    ['PATCH', path, { title, labels: ['one'] }],
    ['PUT', `${path}/labels`, { labels: ['ONE'] }],
    ['PUT', `${path}/builds`, { build_ids: [build.id] }],
    ['POST', `${path}/builds/${build.id}`],
  ]
  for (const [method, url, body] of writes) assert.equal((await send(method, url, body)).status, 200, url)
  assert.deepEqual(await eventsAbout(id), ['release.created'])
  await send('DELETE', `${path}/builds/${build.id}`)
  await send('DELETE', `${path}/builds/${build.id}`)
  assert.deepEqual(await eventsAbout(id), ['release.created', 'release.updated'])
})

test('replaces, adds and removes the builds in a release', async () => {
  const [a, b, c] = await Promise.all([1, 2, 3].map(() => uploadedBuild(service, tenant)))
  const [first, second, third] = [a!.build.id, b!.build.id, c!.build.id]
  const { id } = await createRelease({ build_ids: [first] })
  const replaced = await send('PUT', `/releases/${id}/builds`, { build_ids: [second, third] })
  assert.deepEqual(new Set(idsOf(replaced.body.data.builds)), new Set([second, third]))
  const added = await send('POST', `/releases/${id}/builds/${first}`)
  assert.equal(added.status, 200)
  assert.equal(added.body.data.build_count, 3)
  assert.equal((await send('POST', `/releases/${id}/builds/${first}`)).body.data.build_count, 3)
  const removed = await send('DELETE', `/releases/${id}/builds/${second}`)
  assert.deepEqual(new Set(idsOf(removed.body.data.builds)), new Set([first, third]))
  assert.notEqual(removed.body.data.updated_at, added.body.data.updated_at)
  assert.equal((await send('PUT', `/releases/${id}/builds`, { build_ids: [first, 'nothing'] })).status, 404)
  assert.equal((await send('GET', `/releases/${id}`)).body.data.build_count, 2)
})

test('hides a trashed build from its release until the build is restored', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { id } = await createRelease({ build_ids: [build.id] })
  await send('DELETE', `/builds/${build.id}?force=true`)
  const hidden = (await send('GET', `/releases/${id}`)).body.data
  assert.deepEqual([hidden.build_count, hidden.builds], [0, []])
  await send('POST', `/builds/${build.id}/restore`)
  assert.deepEqual(idsOf((await send('GET', `/releases/${id}`)).body.data.builds), [build.id])
})

test('replaces the labels of a release with existing and new labels', async () => {
  const { id, labels } = await createRelease({ labels: ['first'] })
  const { body } = await send('PUT', `/releases/${id}/labels`, { labels: [labels[0].id, 'second'] })
  assert.deepEqual(
    body.data.labels.map(({ name }: { name: string }) => name),
    ['first', 'second'],
  )
  assert.deepEqual((await send('PUT', `/releases/${id}/labels`, { labels: [] })).body.data.labels, [])
})

test('deletes a release without deleting its builds', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { id } = await createRelease({ build_ids: [build.id] })
  assert.equal((await send('DELETE', `/releases/${id}`)).status, 200)
  assert.equal((await send('DELETE', `/releases/${id}`)).status, 404)
  assert.equal((await send('GET', `/builds/${build.id}`)).status, 200)
  assert.equal((await auditEntry(service, id)).action, 'release.deleted')
  assert.deepEqual(await eventsAbout(id), ['release.created', 'release.deleted'])
})

test('applies all 20 concurrent updates to a release', async () => {
  const builds = await Promise.all(Array.from({ length: 10 }, () => uploadedBuild(service, tenant)))
  const { id } = await createRelease()
  const responses = await Promise.all([
    ...builds.map(({ build }) => send('POST', `/releases/${id}/builds/${build.id}`)),
    ...builds.map(() => send('PUT', `/releases/${id}/labels`, { labels: ['at once', 'and more'] })),
  ])
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  const { data } = (await send('GET', `/releases/${id}`)).body
  assert.deepEqual([data.build_count, data.labels.length], [10, 2])
})

for (const [flaw, fields, field] of [
  ['a blank title', { title: ' ' }, 'title'],
  ['a title of 201 characters', { title: 'x'.repeat(201) }, 'title'],
  ['version 0.0.0', { version_component_1_major: 0 }, 'version_component_1_major'],
  ['a major version of 10,000', { version_component_1_major: 10_000 }, 'version_component_1_major'],
  ['an empty build metadata identifier', { version_component_meta: 'a..b' }, 'version_component_meta'],
  ['notes of 20,001 characters', { notes: 'x'.repeat(20_001) }, 'notes'],
  ['an empty label', { labels: [''] }, 'labels.0'],
  ['a duplicate build ID', { build_ids: ['a', 'a'] }, 'build_ids'],
] as const) {
  test(`rejects a release with ${flaw}`, async () => {
    const response = await send('POST', '/releases', releaseWith(fields))
    assert.equal(response.status, 422)
    assert.ok(field in response.body.errors, response.text)
  })
}
