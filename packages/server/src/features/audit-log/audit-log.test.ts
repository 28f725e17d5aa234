import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

let service: Service
let tenant: Tenant
let streamId: string

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  const streams = `/applications/${tenant.applicationId}/streams`
  const key = tenant.workspaceKey
  const created = await service.call('POST', streams, { key, body: { name: 'beta' } })
  streamId = created.body.data.id
  await service.call('PATCH', `${streams}/beta`, { key, body: { name: 'gamma' } })
  await service.call('DELETE', `${streams}/gamma`, { key: tenant.applicationKey })
})
after(() => service.close())

async function listEntries(query: Record<string, string> = {}, of = tenant) {
  const { status, body, text } = await service.call(
    'GET',
    `/workspace/audit-log?${new URLSearchParams(query).toString()}`,
    { key: of.workspaceKey },
  )
  assert.equal(status, 200, text)
  return body.data as {
    id: string
    action: string
    actor: { id: string; kind: string }
    address: string
    before: unknown
    after: unknown
    created_at: string
  }[]
}

const listActions = async (query: Record<string, string>) =>
  (await listEntries(query)).map(({ action }) => action)

test('lists the changes to a subject from oldest to newest with actor, IP address, old state and new state', async () => {
  const found = await listEntries({ subject_type: 'stream', subject_id: streamId })
  assert.deepEqual(
    found.map(({ action }) => action),
    ['stream.created', 'stream.updated', 'stream.deleted'],
  )
  const [created, renamed, deleted] = found
  assert.equal(created?.before, null)
  assert.deepEqual(
    [renamed?.before, renamed?.after],
    [
      { name: 'beta', description: null, retention_days: null },
      { name: 'gamma', description: null, retention_days: null },
    ],
  )
  assert.equal(created?.actor.kind, 'api-key')
  assert.match(created?.address ?? '', /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
  assert.notEqual(created?.actor.id, deleted?.actor.id)
})

test('filters entries by actor, action, application or time and supports descending order', async () => {
  const [created] = await listEntries({ subject_id: streamId })
  const bySameActor = await listActions({ actor: created?.actor.id ?? '', subject_id: streamId })
  assert.deepEqual(bySameActor, ['stream.created', 'stream.updated'])
  assert.deepEqual(await listActions({ action: 'stream.deleted' }), ['stream.deleted'])
  assert.deepEqual(await listActions({ actor: 'nobody' }), [])
  const ofApplication = await listActions({ application: tenant.applicationId, sort: 'desc' })
  assert.equal(ofApplication[0], 'stream.deleted')
  assert.equal(ofApplication.at(-1), 'application.created')
  const time = created?.created_at ?? ''
  assert.equal((await listActions({ created_before: time })).includes('stream.created'), false)
  assert.equal((await listActions({ created_after: time }))[0], 'stream.created')
})

test('paginates entries without gaps or duplicates', async () => {
  const all = (await listEntries()).map(({ id }) => id)
  const pages = [await listEntries({ per_page: '2' }), await listEntries({ per_page: '2', page: '2' })]
  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    all.slice(0, 4),
  )
})

test('omits entries from other workspaces and rejects invalid filter values and sort keys', async () => {
  const other = await service.tenant()
  assert.deepEqual(await listEntries({ subject_id: streamId }, other), [])
  for (const query of [`application=${other.applicationId}`, 'created_after=yesterday', 'sort_by=action']) {
    const { status } = await service.call('GET', `/workspace/audit-log?${query}`, {
      key: tenant.workspaceKey,
    })
    assert.equal(status, 422, query)
  }
})
