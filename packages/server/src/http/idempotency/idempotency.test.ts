import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadBody } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant
before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const create = (name: string, idempotencyKey: string, key = tenant.workspaceKey) =>
  service.call('POST', '/applications', {
    key,
    body: { name },
    headers: { 'idempotency-key': idempotencyKey },
  })

const named = async (name: string) =>
  (await service.deps.db.selectFrom('applications').select('id').where('name', '=', name).execute()).length

test('returns the first response byte for byte and creates nothing when a create request is repeated', async () => {
  const first = await create('Twice', 'twice')
  const again = await create('Twice', 'twice')
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(await named('Twice'), 1)
})

test('creates one resource and returns identical responses for 30 concurrent requests with the same key', async () => {
  const responses = await Promise.all(Array.from({ length: 30 }, () => create('Crowd', 'crowd')))
  assert.deepEqual(
    [...new Set(responses.map(({ status, text }) => `${status} ${text}`))],
    [`201 ${responses[0]?.text}`],
  )
  assert.equal(await named('Crowd'), 1)
  const entries = await service.deps.db
    .selectFrom('audit_entries')
    .select('id')
    .where('subject_id', '=', responses[0]?.body.data.id)
    .execute()
  assert.equal(entries.length, 1)
})

test('returns 422 when an idempotency key is reused with a different body or path', async () => {
  await create('One', 'other')
  const body = await create('Two', 'other')
  assert.deepEqual([body.status, body.body.code], [422, 'idempotency.other_request'])
  assert.equal(await named('Two'), 0)
  const headers = { 'idempotency-key': 'other' }
  const path = await service.call('POST', '/workspace/labels', {
    key: tenant.workspaceKey,
    body: { name: 'One' },
    headers,
  })
  assert.equal(path.status, 422)
})

test('ignores field order and whitespace when a create request is repeated', async () => {
  const path = `/applications/${tenant.applicationId}/trusted-publishers`
  const send = async (body: string) => {
    const authorization = `Bearer ${tenant.workspaceKey}`
    const headers = { authorization, 'idempotency-key': 'order', 'content-type': 'application/json' }
    const response = await fetch(`${service.url}/api/v1${path}`, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  }
  const rest = '"name":"CI","issuer":"https://ci.example.com","scopes":["builds:read","builds:create"]'
  const first = await send(`{"claims":{"a":"1","b":["2","3"]},${rest}}`)
  assert.equal(first.status, 201, first.text)
  const again = await send(`{ ${rest},\n"unknown": 1, "claims": {"b": ["2", "3"], "a": "1"}}`)
  assert.deepEqual([again.status, again.text], [201, first.text])
  for (const claims of ['{"a":"1","b":["3","2"]}', '{"a":"1"}', '{"a":"2","b":["2","3"]}'])
    assert.match((await send(`{"claims":${claims},${rest}}`)).text, /idempotency\.other_request/)
})

test('lets two callers create separate resources with the same idempotency key', async () => {
  const second = await service.key(tenant.workspaceId, null, ['applications:create'])
  const responses = [await create('Mine', 'shared'), await create('Mine', 'shared', second)]
  assert.equal(new Set(responses.map(({ body }) => body.data.id)).size, 2)
})

test('accepts a corrected request with the same idempotency key after the first request failed', async () => {
  const headers = { 'idempotency-key': 'corrected' }
  const key = tenant.workspaceKey
  const invalid = await service.call('POST', '/applications', { key, body: { name: '' }, headers })
  assert.equal(invalid.status, 422)
  const label = { key, body: { name: 'Conflict', color: '#112233' } }
  assert.equal((await service.call('POST', '/workspace/labels', label)).status, 201)
  const conflict = await service.call('POST', '/workspace/labels', { ...label, headers })
  assert.equal(conflict.status, 409)
  const corrected = await service.call('POST', '/applications', { key, body: { name: 'Corrected' }, headers })
  assert.equal(corrected.status, 201)
})

test('accepts the same idempotency key for a different request after 24 hours', async () => {
  await create('Daily', 'daily')
  await service.deps.db
    .updateTable('idempotency_keys')
    .set({ created_at: new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString() })
    .where('key', '=', 'daily')
    .execute()
  assert.equal((await create('Daily again', 'daily')).status, 201)
  assert.equal((await create('Daily again', 'daily')).headers.get('idempotency-replayed'), 'true')
})

test('returns the same API key for a repeated create request without storing the key in plain text', async () => {
  const send = () =>
    service.call('POST', '/workspace/api-keys', {
      key: tenant.workspaceKey,
      body: { name: 'CI', scopes: ['builds:read'] },
      headers: { 'idempotency-key': 'api-key' },
    })
  const [first, again] = [await send(), await send()]
  const text: string = first.body.data.key
  assert.equal(again.body.data.key, text)
  const row = await service.deps.db
    .selectFrom('idempotency_keys')
    .select('sealed_response')
    .where('key', '=', 'api-key')
    .executeTakeFirstOrThrow()
  assert.equal(Buffer.from(row.sealed_response ?? []).includes(text), false)
})

test('creates only one pending upload when an upload request is repeated', async () => {
  const send = () =>
    service.call('POST', '/upload/request', {
      key: tenant.applicationKey,
      body: uploadBody(),
      headers: { 'idempotency-key': 'upload' },
    })
  const [first, again] = await Promise.all([send(), send()])
  assert.equal(first.status, 200)
  assert.equal(again.body.pending_upload_id, first.body.pending_upload_id)
})

for (const [description, bad] of Object.entries({
  'an empty value': '',
  'a single space': ' ',
  'text that contains a space': 'a b',
  'a non-ASCII character': 'é',
  'a value of 256 characters': 'x'.repeat(256),
}))
  test(`rejects ${description} as an idempotency key`, async () => {
    const response = await service.call('POST', '/applications', {
      key: tenant.workspaceKey,
      body: { name: 'Bad key' },
      headers: { 'idempotency-key': bad },
    })
    assert.equal(response.status, 400)
    assert.equal(response.body.code, 'idempotency.bad_key')
  })

test('returns 304 for a conditional GET until the resource changes', async () => {
  const key = tenant.workspaceKey
  const path = `/applications/${tenant.applicationId}`
  const first = await service.call('GET', path, { key })
  const tag = first.headers.get('etag') ?? ''
  const send = () => service.call('GET', path, { key, headers: { 'if-none-match': `"x", W/${tag}` } })
  const unchanged = await send()
  assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get('etag')], [304, '', tag])
  await service.call('PATCH', path, { key, body: { description: 'changed' } })
  const changed = await send()
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.get('etag'), tag)
  const absent = await service.call('GET', '/applications/none', { key, headers: { 'if-none-match': '*' } })
  assert.equal(absent.status, 404)
})
