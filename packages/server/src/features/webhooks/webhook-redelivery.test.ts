import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service } from '../../../test/harness.ts'
import { webhookCalls } from '../../../test/webhook-calls.ts'
import { uuidV7 } from '../../lib/ids.ts'

let service: Service
let webhooks: ReturnType<typeof webhookCalls>

before(async () => {
  service = await startService()
  webhooks = webhookCalls(service, await service.tenant())
})
after(() => service.close())

const createWebhook = () => webhooks.create({ url: 'https://example.com/old' })

const redeliver = (id: string, body: unknown) => webhooks.send('POST', `/${id}/requests/redeliver`, body)

type State = 'waiting' | 'delivered' | 'failed'

/** Inserts requests, each created an hour after the previous one. Returns their event IDs. */
async function insertRequests(webhookId: string, states: State[], data: object = {}): Promise<string[]> {
  const rows = states.map((state, index) => {
    const id = uuidV7()
    return {
      id: uuidV7(),
      webhook_id: webhookId,
      event_id: id,
      event: 'build.created',
      url: 'https://example.com/old',
      state,
      request_payload: JSON.stringify({ id, event: 'build.created', created: index, data }),
      next_attempt_at: state === 'waiting' ? '2999-01-01T00:00:00Z' : null,
      created_at: `2026-05-01T${String(index).padStart(2, '0')}:00:00Z`,
    }
  })
  await service.deps.db.insertInto('webhook_requests').values(rows).execute()
  return rows.map(({ event_id }) => event_id)
}

/** Returns the event IDs of the redeliveries of a webhook, in the order of their creation. */
async function redeliveredEvents(webhookId: string): Promise<string[]> {
  const rows = await service.deps.db
    .selectFrom('webhook_requests')
    .select(['event_id', 'url', 'state'])
    .where('webhook_id', '=', webhookId)
    .where('redelivery_of', 'is not', null)
    .orderBy('created_at')
    .execute()
  assert.ok(rows.every(({ url, state }) => url === 'https://example.com/new' && state !== 'delivered'))
  return rows.map(({ event_id }) => event_id)
}

async function endAsFailed(webhookId: string): Promise<void> {
  await service.deps.db
    .updateTable('webhook_requests')
    .set({ state: 'failed', next_attempt_at: null })
    .where('webhook_id', '=', webhookId)
    .where('redelivery_of', 'is not', null)
    .execute()
}

test('redelivers each failed request once, in order, with its event ID and to the current URL', async () => {
  const id = await createWebhook()
  const events = await insertRequests(id, ['failed', 'delivered', 'waiting', 'failed', 'failed'])
  await insertRequests(id, ['failed'], { test: true })
  await webhooks.send('PATCH', `/${id}`, { url: 'https://example.com/new' })
  const first = await redeliver(id, { state: 'failed' })
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.message, '3 requests queued for redelivery.')
  assert.deepEqual([first.body.data.redelivered_count, first.body.data.has_more], [3, false])
  assert.deepEqual(await redeliveredEvents(id), [events[0], events[3], events[4]])
  const entry = await auditEntry(service, id)
  assert.equal(entry.action, 'webhook.redelivered')
  assert.deepEqual(entry.after, { state: 'failed', redelivered_count: 3 })

  assert.equal((await redeliver(id, { state: 'failed' })).body.data.redelivered_count, 0)
  await endAsFailed(id)
  assert.equal((await redeliver(id, { state: 'failed' })).body.data.redelivered_count, 3)
  assert.equal((await redeliveredEvents(id)).length, 6)
})

test('redelivers the requests that were created in a time range', async () => {
  const id = await createWebhook()
  const events = await insertRequests(id, ['delivered', 'failed', 'delivered', 'delivered'])
  await webhooks.send('PATCH', `/${id}`, { url: 'https://example.com/new' })
  const range = { created_after: '2026-05-01T01:00:00Z', created_before: '2026-05-01T03:00:00+00:00' }
  assert.equal((await redeliver(id, { ...range, state: 'delivered' })).body.data.redelivered_count, 1)
  assert.equal((await redeliver(id, range)).body.data.redelivered_count, 1)
  assert.deepEqual(await redeliveredEvents(id), [events[2], events[1]])
  assert.equal((await redeliver(id, { created_after: '2026-05-01' })).body.data.redelivered_count, 2)
  assert.equal((await redeliver(id, { created_after: '2026-05-01' })).body.data.redelivered_count, 0)
})

test('skips a request that was redelivered individually', async () => {
  const id = await createWebhook()
  await insertRequests(id, ['failed'])
  const { id: requestId } = (await webhooks.send('GET', `/${id}/requests`)).body.data[0]
  const one = await webhooks.send('POST', `/${id}/requests/${requestId}/redeliver`)
  assert.equal(one.body.data.redelivery_of, requestId)
  assert.equal((await redeliver(id, { state: 'failed' })).body.data.redelivered_count, 0)
})

test('redelivers at most 1,000 requests per call, each once even if two calls run at once', async () => {
  const id = await createWebhook()
  await sql`
    insert into webhook_requests (id, webhook_id, event_id, event, url, state, request_payload, created_at)
    select gen_random_uuid(), ${id}, gen_random_uuid(), 'build.created', 'https://example.com/old', 'failed', '{"data": {}}',
      '2026-05-01'::timestamptz + make_interval(secs => number)
    from generate_series(1, 2005) as number`.execute(service.deps.db)
  const both = await Promise.all([1, 2].map(() => redeliver(id, { state: 'failed' })))
  for (const { body } of both)
    assert.deepEqual([body.data.redelivered_count, body.data.has_more], [1_000, true])
  await endAsFailed(id)
  // Excludes the redeliveries, which have failed.
  const [created_before] = both.map(({ body }): string => body.data.created_before).toSorted()
  const last = await redeliver(id, { state: 'failed', created_before })
  assert.deepEqual([last.body.data.redelivered_count, last.body.data.has_more], [5, false])
  const { rows } = await sql<{ repeated: number }>`
    select count(*) - count(distinct redelivery_of) as repeated from webhook_requests
    where webhook_id = ${id} and redelivery_of is not null`.execute(service.deps.db)
  assert.equal(rows[0]?.repeated, 0)
})

for (const [reason, body] of [
  ['no state and no time', { unknown: 1 }],
  ['an unknown state', { state: 'waiting' }],
  ['an invalid time', { created_after: 'yesterday' }],
] as const)
  test(`rejects a redelivery of requests with ${reason}`, async () => {
    const { status, body: response } = await redeliver(await createWebhook(), body)
    assert.equal(status, 422)
    assert.ok(Object.keys(response.errors).length > 0)
  })
