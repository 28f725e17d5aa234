import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../test/audit.ts'
import { inboxes } from '../../../test/inboxes.ts'
import { until } from '../../../test/until.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { startReceiver, useWebhookService } from '../../../test/webhook-receivers.ts'

const {
  service,
  tenant,
  db,
  newTenant,
  callWebhook,
  createWebhook,
  listRequests,
  requestWith,
  makeDue,
  nextAttemptAt,
  untilDispatched,
} = useWebhookService()

test('retries with the same event ID, reports the error state after the tenth attempt, and clears it on redelivery', async (t) => {
  await newTenant(t)
  let status = 500
  const receiver = await startReceiver(t, (response) => {
    response.statusCode = status
    response.end()
  })
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service(), tenant())
  let failedAt: string | null = null
  for (let attempt = 1; attempt < 10; attempt++) {
    failedAt = await until(
      `attempt ${attempt} fails`,
      async () => {
        const { in_error_state, last_failed_request_at } = await callWebhook('GET', id)
        assert.equal(in_error_state, false)
        return last_failed_request_at !== failedAt && last_failed_request_at
      },
      { withinMs: 120_000 },
    )
    await makeDue(id)
  }
  const failed = await requestWith(id, ({ state }) => state === 'failed')
  assert.equal(failed.delivery_attempts, 10)
  assert.deepEqual(
    failed.attempts.map(({ response_code }) => response_code),
    Array.from({ length: 10 }, () => 500),
  )
  const startTimes = failed.attempts.map(({ started_at }) => started_at)
  assert.deepEqual(startTimes, startTimes.toSorted())
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  const webhook = await callWebhook('GET', id)
  assert.deepEqual([webhook.in_error_state, webhook.is_active], [true, true])
  assert.ok(
    webhook.last_failed_request_at !== null && webhook.failing_since <= webhook.last_failed_request_at,
  )

  status = 204
  await callWebhook('POST', id, `/requests/${failed.id}/redeliver`)
  await requestWith(id, ({ state }) => state === 'delivered')
  assert.equal(receiver.received.at(-1)?.headers['webhook-id'], failed.request_payload.id)
  const { in_error_state, failing_since } = await callWebhook('GET', id)
  assert.deepEqual([in_error_state, failing_since], [false, null])
})

test('honors Retry-After before the next attempt', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t, (response) =>
    response.writeHead(503, { 'retry-after': '3600' }).end(),
  )
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service(), tenant())
  await requestWith(id, ({ response_code }) => response_code === 503)
  const delaySeconds = ((await nextAttemptAt(id)).getTime() - Date.now()) / 1000
  assert.ok(delaySeconds > 3500 && delaySeconds <= 3600, `${delaySeconds}`)
})

test('deactivates a webhook whose receiver responds with 410, cancels its requests, and records an audit entry', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t, (response) => response.writeHead(410).end())
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service(), tenant())
  const request = await requestWith(id, ({ state }) => state === 'failed')
  assert.deepEqual([request.response_code, request.delivery_attempts], [410, 1])
  assert.equal((await callWebhook('GET', id)).is_active, false)
  const entry = await auditEntry(service(), id)
  assert.deepEqual([entry.action, entry.actor_kind], ['webhook.updated', 'system'])
  await uploadedBuild(service(), tenant())
  await untilDispatched()
  assert.equal(receiver.received.length, 1)
})

test('deactivates a webhook after all its attempts have failed for five days', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end())
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service(), tenant())
  await requestWith(id, ({ response_code }) => response_code === 500)
  await db()
    .updateTable('webhooks')
    .set({ failing_since: sql<string>`now() - interval '5 days 1 minute'` })
    .where('id', '=', id)
    .execute()
  await makeDue(id)
  await until('the webhook is deactivated', async () => !(await callWebhook('GET', id)).is_active)
  assert.equal((await listRequests(id))[0]?.state, 'failed')
})

test('does not follow redirects and reports why no response was received', async (t) => {
  await newTenant(t)
  const other = await startReceiver(t)
  const redirecting = await startReceiver(t, (response) =>
    response.writeHead(307, { location: other.url }).end(),
  )
  const closing = await startReceiver(t, (response) => response.destroy())
  const outcomes: [string, { response_code: number | null; error: string | null }][] = [
    [redirecting.url, { response_code: 307, error: null }],
    [
      closing.url,
      { response_code: null, error: 'The connection was closed before a response was received.' },
    ],
    ['http://127.0.0.1:1/', { response_code: null, error: 'The connection was refused.' }],
    ['http://host.invalid/', { response_code: null, error: 'The host name does not exist.' }],
    [
      'http://10.0.0.1/',
      {
        response_code: null,
        error:
          'The host has no public address. The operator can allow private addresses with QUAYSIDE_WEBHOOK_ALLOW_PRIVATE.',
      },
    ],
  ]
  const ids = await Promise.all(outcomes.map(([url]) => createWebhook(url)))
  await uploadedBuild(service(), tenant())
  for (const [index, [url, expected]] of outcomes.entries()) {
    const request = await requestWith(
      ids[index]!,
      ({ response_code, error }) => response_code !== null || error !== null,
    )
    const { response_code, error } = request
    if (url.includes('.invalid'))
      assert.match(error ?? '', /host name (does not exist|could not be resolved)/)
    else assert.deepEqual({ response_code, error }, expected, url)
  }
  assert.equal(other.received.length, 0)
})

test('sends requests although the notifications of members cannot be created', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t)
  await createWebhook(receiver.url)
  const { addPerson, addRule, inboxOf } = inboxes(service)
  const person = await addPerson(tenant(), { applicationRole: 'qa' })
  await addRule(person, { kind: 'build' })
  await sql`create function reject_notifications() returns trigger language plpgsql as
    $$ begin raise exception 'rejected'; end $$`.execute(db())
  await sql`create trigger reject_notifications before insert on notifications
    for each row execute function reject_notifications()`.execute(db())
  const accept = () => sql`drop function if exists reject_notifications cascade`.execute(db())
  t.after(accept)
  await uploadedBuild(service(), tenant())
  await receiver.until(1)
  await untilDispatched()
  assert.deepEqual(await inboxOf(person), [])
  await accept()
  const { build } = await uploadedBuild(service(), tenant())
  await receiver.until(2)
  const inbox: { build: { id: string } }[] = await inboxOf(person)
  assert.deepEqual(
    inbox.map((notification) => notification.build.id),
    [build.id],
  )
})
