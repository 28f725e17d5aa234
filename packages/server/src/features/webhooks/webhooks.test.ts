import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { untilLockWait } from '../../../test/lock-waits.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { eventCatalogue } from '../../events/catalogue.ts'
import { uuidV7 } from '../../lib/ids.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const send = (method: string, path = '', body?: unknown, of = tenant) =>
  service.call(method, `/applications/${of.applicationId}/webhooks${path}`, { key: of.applicationKey, body })

const webhookWith = (fields: object = {}) => ({
  url: 'https://example.com/hook',
  event: 'build.created',
  ...fields,
})

async function createWebhook(fields: object = {}, of = tenant): Promise<string> {
  const { status, body, text } = await send('POST', '', webhookWith(fields), of)
  assert.equal(status, 201, text)
  return body.data.id
}

const findRow = (id: string) =>
  service.deps.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('creates a webhook limited to one stream and one label, and records an audit entry', async () => {
  await service.call('POST', `/applications/${tenant.applicationId}/labels`, {
    key: tenant.applicationKey,
    body: { name: 'ready', color: '#ff0000' },
  })
  const fields = { event: 'build.label.added', stream: 'stable', label: 'READY', description: 'words' }
  const { status, body } = await send('POST', '', webhookWith(fields))
  assert.equal(status, 201)
  const { data } = body
  assert.deepEqual(
    [data.event, data.format, data.level, data.is_active, data.in_error_state, data.secret_configured],
    ['build.label.added', 'json', 'application', true, false, false],
  )
  assert.equal(data.event_subscription.stream.name, 'stable')
  assert.deepEqual(
    [data.event_subscription.label.name, data.event_subscription.label.color],
    ['ready', '#ff0000'],
  )
  assert.equal(data.latest_webhook_request, null)
  assert.equal((await findRow(data.id)).stream_id, data.event_subscription.stream.id)
  const entry = await auditEntry(service, data.id)
  assert.equal(entry.action, 'webhook.created')
  assert.equal((entry.after as { url: string }).url, 'https://example.com/hook')
})

test('accepts a scheme in upper case', async () => {
  const id = await createWebhook({ url: 'HTTPS://example.com/Hook', is_active: false })
  const { body } = await send('PATCH', `/${id}`, { url: 'HtTp://example.org/Other' })
  assert.equal(body.data.url, 'HtTp://example.org/Other')
})

for (const [flaw, fields, field] of [
  ['an FTP URL', { url: 'ftp://example.com' }, 'url'],
  ['a JavaScript URL', { url: 'javascript:alert(1)' }, 'url'],
  ['a URL that contains credentials', { url: 'https://user:password@example.com' }, 'url'],
  ['a URL without a host', { url: 'https://' }, 'url'],
  ['an unknown event', { event: 'build.exploded' }, 'event'],
  ['an unknown format', { format: 'xml' }, 'format'],
  ['an unknown stream', { stream: 'nothing' }, 'stream'],
  ['an unknown label', { label: 'nothing' }, 'label'],
  ['a stream event but no stream', { event: 'build.created.stream' }, 'stream'],
  ['a release event and a stream', { event: 'release.created', stream: 'stable' }, 'stream'],
] as const) {
  test(`rejects a webhook with ${flaw}`, async () => {
    const response = await send('POST', '', webhookWith(fields))
    assert.equal(response.status, 422)
    assert.deepEqual(Object.keys(response.body.errors), [field])
  })
}

test('updates only the webhook fields included in the request and rejects null for a required stream', async () => {
  const id = await createWebhook({ event: 'build.created.stream', stream: 'stable', description: 'words' })
  const { body } = await send('PATCH', `/${id}`, { url: 'http://example.org/other' })
  assert.deepEqual(
    [body.data.url, body.data.event, body.data.description],
    ['http://example.org/other', 'build.created.stream', 'words'],
  )
  assert.equal((await send('PATCH', `/${id}`, { stream: null })).status, 422)
  assert.equal((await send('PATCH', `/${id}`, {})).status, 422)
  const entry = await auditEntry(service, id)
  assert.equal((entry.before as { url: string }).url, 'https://example.com/hook')
  assert.equal((entry.after as { url: string }).url, 'http://example.org/other')
})

test('limits an application to ten active webhooks, even under concurrent requests', async () => {
  const own = await service.tenant()
  const responses = await Promise.all(Array.from({ length: 30 }, () => send('POST', '', webhookWith(), own)))
  const statuses = responses.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 201).length, 10)
  assert.equal(statuses.filter((status) => status === 409).length, 20)
  const rejected = responses.find(({ status }) => status === 409)
  assert.equal(rejected?.body.code, 'webhook.too_many')
  const [first] = (await send('GET', '', undefined, own)).body.data
  await createWebhook({ is_active: false }, own)
  assert.equal((await send('PATCH', `/${first.id}`, { is_active: false }, own)).status, 200)
  await createWebhook({}, own)
  assert.equal((await send('PATCH', `/${first.id}`, { is_active: true }, own)).body.code, 'webhook.too_many')
})

test('lists 15 webhooks per page, oldest first, and omits their latest requests', async () => {
  const own = await service.tenant()
  for (let index = 0; index < 17; index++)
    await createWebhook({ is_active: false, description: `${index}` }, own)
  const { body } = await send('GET', '', undefined, own)
  assert.deepEqual([body.data.length, body.pagination.per_page, body.pagination.total], [15, 15, 17])
  assert.equal(body.data[0].description, '0')
  assert.ok(!('latest_webhook_request' in body.data[0]))
  assert.equal((await send('GET', '?per_page=101', undefined, own)).status, 422)
})

test('queues a request with the most recent build when a webhook is tested', async () => {
  const own = await service.tenant()
  const { build } = await uploadedBuild(service, own)
  const id = await createWebhook({}, own)
  const { status, body } = await send('POST', `/${id}/test`, undefined, own)
  assert.equal(status, 201)
  const { data } = body
  assert.deepEqual([data.state, data.delivery_attempts, data.response_code], ['waiting', 0, null])
  assert.equal(data.request_payload.event, 'build.created')
  assert.equal(data.request_payload.data.build.id, build.id)
  assert.equal(data.request_payload.data.test, true)
  assert.ok(Math.abs(data.request_payload.created - Date.now() / 1000) < 60)
  assert.equal((await send('GET', `/${id}`, undefined, own)).body.data.latest_webhook_request.id, data.id)
  const { request_body, ...request } = (await send('GET', `/${id}/requests/${data.id}`, undefined, own)).body
    .data
  assert.deepEqual([request, JSON.parse(request_body)], [data, data.request_payload])
  assert.equal((await send('GET', `/${id}/requests`, undefined, own)).body.pagination.total, 1)
  assert.equal((await auditEntry(service, id)).action, 'webhook.tested')
})

test('enforces the stream requirement of every event and tests webhooks with sample data', async () => {
  const own = await service.tenant()
  const samples = {
    build: '1.0.0',
    device: 'iPhone 16',
    channel: 'Stable',
    feedback: 'open',
    rollout: '2.0.0',
    release: '1.0.0',
    stream: 'example',
    label: 'example',
  }
  for (const [event, { carries, stream }] of Object.entries(eventCatalogue)) {
    const fields = { ...webhookWith({ event }), is_active: false }
    const [plain, narrowed] = [
      await send('POST', '', fields, own),
      await send('POST', '', { ...fields, stream: 'stable' }, own),
    ]
    assert.equal(plain.status, stream === 'required' ? 422 : 201, event)
    assert.equal(narrowed.status, stream === 'not allowed' ? 422 : 201, event)
    const { id } = (plain.status === 201 ? plain : narrowed).body.data
    const { request_payload } = (await send('POST', `/${id}/test`, undefined, own)).body.data
    const { test: isTest, ...resources } = request_payload.data
    assert.equal(isTest, true)
    assert.deepEqual(Object.keys(resources).toSorted(), [...carries].toSorted())
    for (const kind of carries)
      assert.equal(
        resources[kind].version ?? resources[kind].name ?? resources[kind].state,
        samples[kind],
        event,
      )
  }
})

test('redelivers an event to the current URL unless the original request is still waiting', async () => {
  const id = await createWebhook({ event: 'release.created' })
  const first = (await send('POST', `/${id}/test`)).body.data
  const path = `/${id}/requests/${first.id}/redeliver`
  assert.equal((await send('POST', path)).body.code, 'webhook_request.waiting')
  await service.deps.db
    .updateTable('webhook_requests')
    .set({ state: 'failed', next_attempt_at: null })
    .where('id', '=', first.id)
    .execute()
  await send('PATCH', `/${id}`, { url: 'https://example.org/new' })
  const { status, body } = await send('POST', path)
  assert.equal(status, 201)
  assert.notEqual(body.data.id, first.id)
  assert.deepEqual(body.data.request_payload, first.request_payload)
  assert.equal(body.data.url, 'https://example.org/new')
  assert.equal((await auditEntry(service, first.id)).action, 'webhook_request.redelivered')
})

test('deletes a webhook and its requests', async () => {
  const id = await createWebhook()
  const request = (await send('POST', `/${id}/test`)).body.data
  assert.equal((await send('DELETE', `/${id}`)).status, 200)
  for (const path of [`/${id}`, `/${id}/requests/${request.id}`, `/${uuidV7()}`])
    assert.equal((await send('GET', path)).status, 404)
  assert.equal((await send('DELETE', `/${id}`)).status, 404)
  assert.equal((await auditEntry(service, id)).action, 'webhook.deleted')
})

for (const { narrowed, path, noun } of [
  { narrowed: { event: 'build.created.stream', stream: 'gone' }, path: 'streams', noun: 'Stream' },
  { narrowed: { event: 'build.label.added', label: 'gone' }, path: 'labels', noun: 'Label' },
])
  test(`deletes all webhooks limited to a deleted ${noun.toLowerCase()} and audits each deletion`, async () => {
    const { applicationId, workspaceKey: key } = tenant
    const list = `/applications/${applicationId}/${path}`
    assert.equal((await service.call('POST', list, { key, body: { name: 'gone' } })).status, 201)
    const [first, second, other] = [
      await createWebhook(narrowed),
      await createWebhook({ ...narrowed, is_active: false }),
      await createWebhook(),
    ]
    const { status, body } = await service.call('DELETE', `${list}/gone`, { key })
    assert.equal(status, 200)
    assert.equal(body.message, `${noun} deleted, along with 2 webhooks limited to it.`)
    for (const id of [first, second]) {
      assert.equal((await send('GET', `/${id}`)).status, 404)
      const entry = await auditEntry(service, id)
      assert.deepEqual(
        [entry.action, entry.application_id, (entry.before as { url: string }).url],
        ['webhook.deleted', applicationId, 'https://example.com/hook'],
      )
    }
    assert.equal((await send('GET', `/${other}`)).status, 200)
    await send('DELETE', `/${other}`)
  })

test('returns a validation error if the stream or label of a webhook is deleted during the request', async () => {
  const { applicationId, workspaceKey: key } = tenant
  const { db } = service.deps
  const id = await createWebhook()
  for (const { table, field, event } of [
    { table: 'streams', field: 'stream', event: 'build.created.stream' },
    { table: 'labels', field: 'label', event: 'build.label.added' },
  ] as const)
    for (const narrow of [
      (fields: object) => send('POST', '', webhookWith(fields)),
      (fields: object) => send('PATCH', `/${id}`, fields),
    ]) {
      const path = `/applications/${applicationId}/${table}`
      const created = await service.call('POST', path, { key, body: { name: 'vanishing' } })
      const [commit, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const deleting = db.transaction().execute(async (tx) => {
        await tx.deleteFrom(table).where('id', '=', created.body.data.id).execute()
        deleted.resolve()
        await commit.promise
      })
      await deleted.promise
      const response = narrow({ event, [field]: 'vanishing' })
      await untilLockWait(db)
      commit.resolve()
      await deleting
      const { status, body } = await response
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, [field]])
    }
})
