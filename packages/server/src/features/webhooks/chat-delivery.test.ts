import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { uploadedBuild } from '../../../test/uploading.ts'
import { startReceiver, useWebhookService } from '../../../test/webhook-receivers.ts'

const { service, tenant, newTenant, callWebhook, createWebhook, requestWith, untilDispatched, db } =
  useWebhookService()

for (const { format, status, body, textOf } of [
  { format: 'slack', status: 200, body: 'ok', textOf: (message: string) => message },
  { format: 'discord', status: 204, body: '', textOf: (message: string) => message.replaceAll('\\\\', '') },
  { format: 'teams', status: 202, body: '', textOf: (message: string) => message },
])
  test(`sends new-build and test notifications as ${format} messages and records the response`, async (t) => {
    await newTenant(t)
    const receiver = await startReceiver(t, (response) => response.writeHead(status).end(body))
    const id = await createWebhook(receiver.url, { format })
    const { build } = await uploadedBuild(service(), tenant())
    await receiver.until(1)
    await callWebhook('POST', id, '/test')
    await receiver.until(2)
    const [created, tested] = receiver.received.map((request) => textOf(request.body))
    assert.ok(created!.includes(`App ${tenant().workspaceId} 1.2.3`), created)
    assert.ok(created!.includes(build.modal_url))
    assert.ok(created!.includes('New build') && !created!.includes('Test:'))
    assert.ok(tested!.includes('Test: New build'))
    const request = await requestWith(id, ({ state }) => state === 'delivered')
    assert.deepEqual(
      [request.response_code, request.request_payload.id],
      [status, receiver.received[0]!.headers['webhook-id']],
    )
    const { request_body } = await callWebhook('GET', id, `/requests/${request.id}`)
    const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === request.request_payload.id)
    assert.equal(request_body, sent?.body)
  })

test('sends no requests to a webhook for the time in the Retry-After header of a 429 response', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t, (response) =>
    isLimited
      ? response.writeHead(429, { 'retry-after': '600.25' }).end('{"retry_after": 600.25}')
      : response.writeHead(204).end(),
  )
  let isLimited = false
  const id = await createWebhook(receiver.url, { format: 'discord' })
  await uploadedBuild(service(), tenant())
  await receiver.until(1)
  isLimited = true
  await uploadedBuild(service(), tenant())
  await requestWith(id, ({ response_code }) => response_code === 429)
  isLimited = false
  await uploadedBuild(service(), tenant())
  const other = await createWebhook(receiver.url.replace('/hook', '/other'), { format: 'discord' })
  await callWebhook('POST', other, '/test')
  await requestWith(other, ({ state }) => state === 'delivered')
  const paths = receiver.received.map(({ path }) => path)
  assert.deepEqual(paths, ['/hook', '/hook', '/other'])
  await db()
    .updateTable('webhooks')
    .set({ paused_until: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
  await requestWith(id, ({ state, delivery_attempts }) => state === 'delivered' && delivery_attempts === 1)
  await receiver.until(4)
})

for (const { format, status, body, isActive } of [
  { format: 'discord', status: 404, body: '{"message": "Unknown Webhook", "code": 10015}', isActive: false },
  { format: 'slack', status: 404, body: 'no_service', isActive: false },
  { format: 'slack', status: 404, body: 'channel_not_found', isActive: true },
  { format: 'json', status: 404, body: 'no_service', isActive: true },
])
  test(`${isActive ? 'keeps' : 'deactivates'} a ${format} webhook whose receiver responds with ${status} ${body}`, async (t) => {
    await newTenant(t)
    const receiver = await startReceiver(t, (response) => response.writeHead(status).end(body))
    const id = await createWebhook(receiver.url, { format })
    await uploadedBuild(service(), tenant())
    await requestWith(id, ({ response_code }) => response_code === status)
    assert.equal((await callWebhook('GET', id)).is_active, isActive)
    if (!isActive) await untilDispatched()
  })
