import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
const ids = new Map<string, string>()

// The tenant also has an application whose name starts with `App`.
const names = ['beta', 'Alpha', 'gamma 100%', 'Delta_1', 'zeta', 'Épsilon']

before(async () => {
  service = await startService()
  tenant = await service.tenant({ platforms: ['linux', 'playdate'] })
  for (const name of names) {
    const body = { name, description: `about ${name}`, platforms: name === 'zeta' ? ['ios', 'android'] : [] }
    const response = await service.call('POST', '/applications', { key: tenant.workspaceKey, body })
    ids.set(name, response.body.data.id)
  }
  await service.tenant()
})
after(() => service.close())

const list = (query: Record<string, string> = {}, key = tenant.workspaceKey) =>
  service.call('GET', `/applications?${new URLSearchParams(query).toString()}`, { key })

async function listNames(query: Record<string, string>): Promise<string[]> {
  const { status, body, text } = await list(query)
  assert.equal(status, 200, text)
  assert.equal(body.pagination.total, body.data.length)
  return body.data.map(({ name }: { name: string }) => name)
}

test('creates an application with default settings, three streams and the generic platform', async () => {
  const { body } = await list({ search: 'beta' })
  const [application] = body.data
  assert.deepEqual(application, {
    id: ids.get('beta'),
    name: 'beta',
    description: 'about beta',
    icon_url: null,
    custom_store_enabled: false,
    storage_usage: { total_bytes: 0, total_string: '0 B', hosted_bytes: 0, self_hosted_bytes: 0 },
    physical_bytes: 0,
    physical_string: '0 B',
    workspace_id: tenant.workspaceId,
    created_at: application.created_at,
    updated_at: application.updated_at,
  })
  const get = (path: string) =>
    service.call('GET', `/applications/${application.id}${path}`, { key: tenant.workspaceKey })
  const platforms = await get('/platforms')
  const single = await get('')
  assert.deepEqual(single.body.data, { ...application, build_count: 0, platforms: platforms.body.data })
  const streams = await get('/streams')
  assert.deepEqual(
    streams.body.data.map(({ name }: { name: string }) => name),
    ['default', 'nightlies', 'stable'],
  )
  assert.deepEqual(
    platforms.body.data.map(({ identifier }: { identifier: string }) => identifier),
    ['generic'],
  )
})

test('sorts applications case-insensitively by name and returns up to ten per page by default', async () => {
  const { body } = await list()
  const listed = body.data.map(({ name }: { name: string }) => name)
  const own = `App ${tenant.workspaceId}`
  assert.deepEqual(
    listed.filter((name: string) => name !== 'Épsilon'),
    ['Alpha', own, 'beta', 'Delta_1', 'gamma 100%', 'zeta'],
  )
  assert.deepEqual(body.pagination, { current_page: 1, per_page: 10, total: 7, last_page: 1, from: 1, to: 7 })
  assert.deepEqual(await listNames({ sort: 'desc' }), listed.toReversed())
})

test('sorts applications by creation time or update time', async () => {
  const byCreation = await listNames({ sort_by: 'created_at' })
  assert.deepEqual(byCreation.slice(1), names)
  assert.deepEqual(await listNames({ sort_by: 'created_at', sort: 'desc' }), byCreation.toReversed())
  const { db } = service.deps
  await db
    .updateTable('applications')
    .set({ description: 'changed' })
    .where('id', '=', ids.get('beta')!)
    .execute()
  assert.equal((await listNames({ sort_by: 'updated_at' })).at(-1), 'beta')
  await db
    .updateTable('applications')
    .set({ description: 'about beta' })
    .where('id', '=', ids.get('beta')!)
    .execute()
})

test('searches names, descriptions and IDs and treats wildcard characters as literals', async () => {
  assert.deepEqual(await listNames({ search: 'ALPHA' }), ['Alpha'])
  assert.deepEqual(await listNames({ search: 'about g' }), ['gamma 100%'])
  assert.deepEqual(await listNames({ search: ids.get('zeta')! }), ['zeta'])
  assert.deepEqual(await listNames({ search: '0%' }), ['gamma 100%'])
  assert.deepEqual(await listNames({ search: 'a_1' }), ['Delta_1'])
  assert.deepEqual(await listNames({ search: 'épsilon' }), ['Épsilon'])
  assert.deepEqual(await listNames({ search: 'nothing' }), [])
})

test('filters applications by platform and rejects an unknown platform', async () => {
  assert.deepEqual(await listNames({ platform: 'ios' }), ['zeta'])
  assert.equal((await listNames({ platform: 'generic' })).length, 5)
  assert.deepEqual(await listNames({ platform: 'kaios' }), [])
  const { status, body } = await list({ platform: 'amiga' })
  assert.equal(status, 422)
  assert.match(body.message, /`platform`: "amiga" is not a platform\./)
})

for (const [problem, query] of [
  ['a page size of 0', { per_page: '0' }],
  ['a page size of 101', { per_page: '101' }],
  ['a page number of 0', { page: '0' }],
  ['an unsupported sort key', { sort_by: 'id' }],
  ['a sort order in uppercase', { sort: 'ASC' }],
  ['a search term of 51 characters', { search: 'x'.repeat(51) }],
] as [string, Record<string, string>][]) {
  test(`rejects a list request with ${problem}`, async () => {
    const { status, body } = await list(query)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors), Object.keys(query))
  })
}

test('lists each application on exactly one page and returns an empty list past the last page', async () => {
  const all = await listNames({ per_page: '100' })
  const paged = []
  for (const page of ['1', '2', '3', '4']) {
    const { body } = await list({ per_page: '3', page })
    paged.push(...body.data.map(({ name }: { name: string }) => name))
    assert.equal(body.pagination.last_page, 3)
    if (page !== '4') continue
    assert.deepEqual([body.data, body.pagination.from, body.pagination.to], [[], null, null])
  }
  assert.deepEqual(paged, all)
})

test('lets an application key without scopes list only its own application', async () => {
  const key = await service.key(tenant.workspaceId, tenant.applicationId, [])
  const { status, body } = await list({}, key)
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    [tenant.applicationId],
  )
  assert.equal(body.pagination.total, 1)
  assert.equal((await list({ search: 'beta' }, key)).body.pagination.total, 0)
})

test('returns the storage usage and build count of an application', async () => {
  const other = await service.tenant()
  await uploadedBuild(service, other, {}, Buffer.alloc(1000))
  await uploadedBuild(service, other, {}, Buffer.alloc(2000))
  const { body } = await list({}, other.workspaceKey)
  const usage = { total_bytes: 3000, total_string: '2.93 KB', hosted_bytes: 3000, self_hosted_bytes: 0 }
  assert.deepEqual(body.data[0].storage_usage, usage)
  const single = await service.call('GET', `/applications/${other.applicationId}`, {
    key: other.applicationKey,
  })
  assert.equal(single.body.data.build_count, 2)
  assert.deepEqual(single.body.data.storage_usage, usage)
})
