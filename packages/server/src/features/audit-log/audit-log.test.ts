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
  const made = await service.call('POST', streams, { key, body: { name: 'beta' } })
  streamId = made.body.data.id
  await service.call('PATCH', `${streams}/beta`, { key, body: { name: 'gamma' } })
  await service.call('DELETE', `${streams}/gamma`, { key: tenant.applicationKey })
})
after(() => service.close())

async function entries(query: Record<string, string> = {}, of = tenant) {
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

const actions = async (query: Record<string, string>) => (await entries(query)).map(({ action }) => action)

test('the log of one subject, every change in order with actor, address, before and after', async () => {
  const found = await entries({ subject_type: 'stream', subject_id: streamId })
  assert.deepEqual(
    found.map(({ action }) => action),
    ['stream.created', 'stream.updated', 'stream.deleted'],
  )
  const [made, renamed, deleted] = found
  assert.equal(made?.before, null)
  assert.deepEqual(
    [renamed?.before, renamed?.after],
    [
      { name: 'beta', description: null, retention_days: null },
      { name: 'gamma', description: null, retention_days: null },
    ],
  )
  assert.equal(made?.actor.kind, 'api-key')
  assert.match(made?.address ?? '', /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
  assert.notEqual(made?.actor.id, deleted?.actor.id)
})

test('filters by actor, action, application and time, each narrows; newest first where asked', async () => {
  const [made] = await entries({ subject_id: streamId })
  const bySame = await actions({ actor: made?.actor.id ?? '', subject_id: streamId })
  assert.deepEqual(bySame, ['stream.created', 'stream.updated'])
  assert.deepEqual(await actions({ action: 'stream.deleted' }), ['stream.deleted'])
  assert.deepEqual(await actions({ actor: 'nobody' }), [])
  const ofApplication = await actions({ application: tenant.applicationId, sort: 'desc' })
  assert.equal(ofApplication[0], 'stream.deleted')
  assert.equal(ofApplication.at(-1), 'application.created')
  const at = made?.created_at ?? ''
  assert.equal((await actions({ created_before: at })).includes('stream.created'), false)
  assert.equal((await actions({ created_after: at }))[0], 'stream.created')
})

test('two pages, together every entry once', async () => {
  const all = (await entries()).map(({ id }) => id)
  const pages = [await entries({ per_page: '2' }), await entries({ per_page: '2', page: '2' })]
  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    all.slice(0, 4),
  )
})

test('another workspace, none of the entries; a wrong time or a foreign application, 422', async () => {
  const other = await service.tenant()
  assert.deepEqual(await entries({ subject_id: streamId }, other), [])
  for (const query of [`application=${other.applicationId}`, 'created_after=yesterday', 'sort_by=action']) {
    const { status } = await service.call('GET', `/workspace/audit-log?${query}`, {
      key: tenant.workspaceKey,
    })
    assert.equal(status, 422, query)
  }
})
