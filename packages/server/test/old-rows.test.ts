import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { dropDispatchedEvents } from '../src/events/drop-events.job.ts'
import { dropOldMails } from '../src/features/mails/drop-mails.job.ts'
import { insertMails } from '../src/features/mails/mail.db.ts'
import { dropEndedUploads } from '../src/features/uploads/drop-uploads.job.ts'
import { dropOldWebhookRequests } from '../src/features/webhooks/drop-webhook-requests.job.ts'
import { dropOldIdempotencyKeys } from '../src/http/drop-idempotency-keys.job.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { startService, type Service, type Tenant } from './harness.ts'
import { requested } from './uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const ago = (hours: number) => sql<string>`now() - make_interval(secs => ${hours * 3_600}::float8)`
const day = 24
const minute = 1 / 60

const listKeys = async () =>
  (await service.deps.db.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key)

test('idempotency keys, a day after their first use they are free again', async () => {
  const { db } = service.deps
  const make = (key: string) =>
    service.call('POST', '/workspace/labels', {
      key: tenant.workspaceKey,
      body: { name: `Label ${key}` },
      headers: { 'idempotency-key': key },
    })
  for (const key of ['old', 'young']) assert.equal((await make(key)).status, 201)
  const age = (key: string, hours: number) =>
    db
      .updateTable('idempotency_keys')
      .set({ created_at: ago(hours) })
      .where('key', '=', key)
      .execute()
  await age('old', day + minute)
  await age('young', day - minute)
  await dropOldIdempotencyKeys(service.deps)
  assert.deepEqual(await listKeys(), ['young'])
  assert.equal((await make('young')).status, 201)
})

test('more old idempotency keys than a batch, all go, also by two runs at once', async () => {
  const { db } = service.deps
  const rows = Array.from({ length: 2_500 }, (_, number) => ({
    caller_id: 'caller',
    key: `k${number}`,
    request_sha256: Buffer.alloc(32),
    created_at: '2026-01-01T00:00:00Z',
  }))
  await db.insertInto('idempotency_keys').values(rows).execute()
  await dropOldIdempotencyKeys(service.deps, AbortSignal.abort())
  assert.equal((await listKeys()).filter((key) => key.startsWith('k')).length, 2_500, 'the service stops')
  await Promise.all([dropOldIdempotencyKeys(service.deps), dropOldIdempotencyKeys(service.deps)])
  await dropOldIdempotencyKeys(service.deps)
  assert.deepEqual(
    (await listKeys()).filter((key) => key.startsWith('k')),
    [],
  )
})

test('mails, 30 days', async () => {
  const { db } = service.deps
  const mail = { workspaceId: tenant.workspaceId, to: 'ann@example.com', subject: 'x', text: 'x' }
  const make = (hours: number) =>
    db.transaction().execute(async (tx) => {
      const [id = ''] = await insertMails(tx, [mail])
      await tx
        .updateTable('mails')
        .set({ created_at: ago(hours) })
        .where('id', '=', id)
        .execute()
      return id
    })
  const [, young] = [await make(30 * day + minute), await make(30 * day - minute)]
  await dropOldMails(service.deps)
  const left = await db.selectFrom('mails').select('id').execute()
  assert.deepEqual(left, [{ id: young }])
})

test('the log of a webhook, 30 days; what is still to be sent stays', async () => {
  const { db } = service.deps
  const path = `/applications/${tenant.applicationId}/webhooks`
  const key = tenant.workspaceKey
  const body = { url: 'https://example.com/hook', event: 'build.created' }
  const { id } = (await service.call('POST', path, { key, body })).body.data
  const make = async (
    hours: number,
    columns: { state: 'delivered' | 'waiting'; next_attempt_at: string | null },
  ) => {
    const request = (await service.call('POST', `${path}/${id}/test`, { key })).body.data.id as string
    await db
      .updateTable('webhook_requests')
      .set({ ...columns, created_at: ago(hours) })
      .where('id', '=', request)
      .execute()
    return request
  }
  const done = { state: 'delivered', next_attempt_at: null } as const
  const waits = { state: 'waiting', next_attempt_at: '2099-01-01T00:00:00Z' } as const
  const old = await make(30 * day + minute, done)
  const kept = [await make(30 * day - minute, done), await make(31 * day, waits)]
  await dropOldWebhookRequests(service.deps)
  const log = await service.call('GET', `${path}/${id}/requests`, { key })
  const ids = log.body.data.map((request: { id: string }) => request.id)
  assert.deepEqual(ids.toSorted(), kept.toSorted())
  assert.ok(!ids.includes(old))
})

test('events, 30 days after they were handed on; those that wait stay however old', async () => {
  const { db } = service.deps
  const make = async (columns: { created_at?: string; dispatched_at?: ReturnType<typeof ago> }) => {
    const id = uuidV7()
    const row = { id, workspace_id: tenant.workspaceId, name: 'x', data: '{}' }
    await db
      .insertInto('events')
      .values({ ...row, ...columns })
      .execute()
    return id
  }
  const [old, young, waiting] = [
    await make({ dispatched_at: ago(30 * day + minute) }),
    await make({ dispatched_at: ago(30 * day - minute) }),
    await make({ created_at: '2026-01-01T00:00:00Z' }),
  ]
  await dropDispatchedEvents(service.deps)
  const rows = await db.selectFrom('events').select('id').execute()
  const left = new Set(rows.map(({ id }) => id))
  assert.deepEqual(
    [old, young, waiting].map((id) => left.has(id)),
    [false, true, true],
  )
})

test('uploads that were aborted, their id tells so for 30 days; open ones stay', async () => {
  const { db } = service.deps
  const key = tenant.applicationKey
  const abortedFor = async (hours: number) => {
    const { pending_upload_id: id } = await requested(service, tenant)
    await service.call('POST', '/upload/abort', { key, body: { pending_upload_id: id } })
    await db
      .updateTable('pending_uploads')
      .set({ swept_at: ago(hours) })
      .where('id', '=', id)
      .execute()
    return id as string
  }
  const [old, young] = [await abortedFor(30 * day + minute), await abortedFor(30 * day - minute)]
  const open = (await requested(service, tenant)).pending_upload_id as string
  await dropEndedUploads(service.deps)
  const statuses: number[] = []
  for (const id of [old, young, open])
    statuses.push((await service.call('GET', `/upload/${id}`, { key })).status)
  assert.deepEqual(statuses, [404, 200, 200])
})

test('a clock that jumped a day, nothing is dropped', async () => {
  const clock = { now: () => new Date(), jumpMs: () => 25 * 3_600_000 }
  const unsound = { ...service.deps, clock }
  for (const drop of [
    dropOldIdempotencyKeys,
    dropOldMails,
    dropOldWebhookRequests,
    dropDispatchedEvents,
    dropEndedUploads,
  ])
    await assert.rejects(drop(unsound), { code: 'clock.unsound' })
})
