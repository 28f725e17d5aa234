import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '../src/deps.ts'
import { dropEvents } from '../src/events/delete-old-events.job.ts'
import { dropDeviceRegistrations } from '../src/features/installs/delete-old-registrations.job.ts'
import { dropMails } from '../src/features/mails/delete-old-mails.job.ts'
import { insertMails } from '../src/features/mails/mail.db.ts'
import { dropPortalCodes, dropPortalSessions } from '../src/features/portals/pages/delete-old-codes.job.ts'
import { dropGuesses } from '../src/features/share-links/delete-old-guesses.job.ts'
import { dropUploads } from '../src/features/uploads/delete-old-uploads.job.ts'
import { dropWebhookRequests } from '../src/features/webhooks/delete-old-requests.job.ts'
import { dropIdempotencyKeys } from '../src/http/idempotency/delete-old-keys.job.ts'
import type { Job } from '../src/jobs/job.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { requestUpload, uploadedBuild } from './uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startOwnService()
  tenant = await service.tenant()
})
after(() => service.close())

const ago = (hours: number) => sql<string>`now() - make_interval(secs => ${hours * 3_600}::float8)`
const run = (job: Job, stopping = new AbortController().signal, deps: Deps = service.deps) =>
  job.handle(deps, {}, stopping)

const day = 24
const minute = 1 / 60

const listKeys = async () =>
  (await service.deps.db.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key)

test('deletes an idempotency key one day after its first use', async () => {
  const { db } = service.deps
  const createLabel = (key: string) =>
    service.call('POST', '/workspace/labels', {
      key: tenant.workspaceKey,
      body: { name: `Label ${key}` },
      headers: { 'idempotency-key': key },
    })
  for (const key of ['old', 'young']) assert.equal((await createLabel(key)).status, 201)
  const age = (key: string, hours: number) =>
    db
      .updateTable('idempotency_keys')
      .set({ created_at: ago(hours) })
      .where('key', '=', key)
      .execute()
  await age('old', day + minute)
  await age('young', day - minute)
  await run(dropIdempotencyKeys)
  assert.deepEqual(await listKeys(), ['young'])
  assert.equal((await createLabel('young')).status, 201)
})

test('deletes all expired idempotency keys in batches during concurrent runs', async () => {
  const { db } = service.deps
  const rows = Array.from({ length: 2_500 }, (_, number) => ({
    caller_id: 'caller',
    key: `k${number}`,
    request_sha256: Buffer.alloc(32),
    created_at: '2026-01-01T00:00:00Z',
  }))
  await db.insertInto('idempotency_keys').values(rows).execute()
  await run(dropIdempotencyKeys, AbortSignal.abort())
  assert.equal(
    (await listKeys()).filter((key) => key.startsWith('k')).length,
    2_500,
    'stopped before the first batch',
  )
  await Promise.all([run(dropIdempotencyKeys), run(dropIdempotencyKeys)])
  await run(dropIdempotencyKeys)
  assert.deepEqual(
    (await listKeys()).filter((key) => key.startsWith('k')),
    [],
  )
})

test('deletes emails after 30 days', async () => {
  const { db } = service.deps
  const mail = { workspaceId: tenant.workspaceId, to: 'ann@example.com', subject: 'x', text: 'x', html: '' }
  const insertMail = (hours: number) =>
    db.transaction().execute(async (tx) => {
      const [id = ''] = await insertMails(tx, [mail], true)
      await tx
        .updateTable('mails')
        .set({ created_at: ago(hours) })
        .where('id', '=', id)
        .execute()
      return id
    })
  await insertMail(30 * day + minute)
  const young = await insertMail(30 * day - minute)
  await run(dropMails)
  const left = await db.selectFrom('mails').select('id').execute()
  assert.deepEqual(left, [{ id: young }])
})

test('deletes webhook requests after 30 days unless they are waiting for delivery', async () => {
  const { db } = service.deps
  const path = `/applications/${tenant.applicationId}/webhooks`
  const key = tenant.workspaceKey
  const body = { url: 'https://example.com/hook', event: 'build.created' }
  const { id } = (await service.call('POST', path, { key, body })).body.data
  const createRequest = async (
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
  const waiting = { state: 'waiting', next_attempt_at: '2099-01-01T00:00:00Z' } as const
  const old = await createRequest(30 * day + minute, done)
  const kept = [await createRequest(30 * day - minute, done), await createRequest(31 * day, waiting)]
  await run(dropWebhookRequests)
  const log = await service.call('GET', `${path}/${id}/requests`, { key })
  const ids = log.body.data.map((request: { id: string }) => request.id)
  assert.deepEqual(ids.toSorted(), kept.toSorted())
  assert.ok(!ids.includes(old))
})

test('deletes events 30 days after dispatch and keeps undispatched events', async () => {
  const { db } = service.deps
  const insertEvent = async (columns: { created_at?: string; dispatched_at?: ReturnType<typeof ago> }) => {
    const id = uuidV7()
    const row = { id, workspace_id: tenant.workspaceId, name: 'x', data: '{}' }
    await db
      .insertInto('events')
      .values({ ...row, ...columns })
      .execute()
    return id
  }
  const [old, young, waiting] = [
    await insertEvent({ dispatched_at: ago(30 * day + minute) }),
    await insertEvent({ dispatched_at: ago(30 * day - minute) }),
    await insertEvent({ created_at: '2026-01-01T00:00:00Z' }),
  ]
  await run(dropEvents)
  const rows = await db.selectFrom('events').select('id').execute()
  const left = new Set(rows.map(({ id }) => id))
  assert.deepEqual(
    [old, young, waiting].map((id) => left.has(id)),
    [false, true, true],
  )
})

test('deletes aborted uploads 30 days after their bytes are deleted and keeps open uploads', async () => {
  const { db } = service.deps
  const key = tenant.applicationKey
  const abortedFor = async (hours: number) => {
    const { pending_upload_id: id } = await requestUpload(service, tenant)
    await service.call('POST', '/upload/abort', { key, body: { pending_upload_id: id } })
    await db
      .updateTable('pending_uploads')
      .set({ swept_at: ago(hours) })
      .where('id', '=', id)
      .execute()
    return id as string
  }
  const [old, young] = [await abortedFor(30 * day + minute), await abortedFor(30 * day - minute)]
  const open = (await requestUpload(service, tenant)).pending_upload_id as string
  await run(dropUploads)
  const statuses: number[] = []
  for (const id of [old, young, open])
    statuses.push((await service.call('GET', `/upload/${id}`, { key })).status)
  assert.deepEqual(statuses, [404, 200, 200])
})

test('deletes the count of failed password attempts for a share link one day after the count expires', async () => {
  const { db } = service.deps
  const { build } = await uploadedBuild(service, tenant)
  const path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
  const { id } = (await service.call('POST', path, { key: tenant.applicationKey, body: {} })).body.data
  await db
    .insertInto('share_link_guesses')
    .values([
      { share_link_id: id, network: '192.0.2.1', guess_count: 1, ends_at: ago(day + minute) },
      { share_link_id: id, network: '', guess_count: 1, ends_at: ago(day - minute) },
    ])
    .execute()
  await run(dropGuesses)
  const left = await db.selectFrom('share_link_guesses').select('network').execute()
  assert.deepEqual(left, [{ network: '' }])
})

test('deletes a completed registration of a device after one day', async () => {
  const { db } = service.deps
  const [old, young] = [uuidV7(), uuidV7()]
  await db
    .insertInto('device_registrations')
    .values([
      { id: old, completed_at: ago(day + minute) },
      { id: young, completed_at: ago(day - minute) },
    ])
    .execute()
  await run(dropDeviceRegistrations)
  const left = await db.selectFrom('device_registrations').select('id').execute()
  assert.deepEqual(left, [{ id: young }])
})

test('deletes codes of private portals after a day, and sessions a day after they expire', async () => {
  const { db } = service.deps
  const body = { name: 'Private' }
  const { id: portal_id } = (await service.call('POST', '/portals', { key: tenant.workspaceKey, body })).body
    .data
  const code = { portal_id, email: 'ana@example.com', browser_hash: 'x', expires_at: ago(0), code_hash: null }
  await db
    .insertInto('portal_codes')
    .values([
      { ...code, id: uuidV7(), network: 'old', created_at: ago(day + minute) },
      { ...code, id: uuidV7(), network: 'young', created_at: ago(day - minute) },
    ])
    .execute()
  const session = { portal_id, email: 'ana@example.com', host: '' }
  await db
    .insertInto('portal_sessions')
    .values([
      { ...session, token_hash: 'old', expires_at: ago(day + minute) },
      { ...session, token_hash: 'young', expires_at: ago(day - minute) },
    ])
    .execute()
  await run(dropPortalCodes)
  await run(dropPortalSessions)
  assert.deepEqual(await db.selectFrom('portal_codes').select('network').execute(), [{ network: 'young' }])
  assert.deepEqual(await db.selectFrom('portal_sessions').select('token_hash').execute(), [
    { token_hash: 'young' },
  ])
})

test('refuses to delete rows after the clock jumps by more than a day', async () => {
  const clock = { ...service.deps.clock, jumpMs: () => 25 * 3_600_000 }
  const depsWithJump: Deps = { ...service.deps, clock }
  for (const drop of [
    dropIdempotencyKeys,
    dropGuesses,
    dropMails,
    dropWebhookRequests,
    dropEvents,
    dropUploads,
  ])
    await assert.rejects(run(drop, undefined, depsWithJump), { code: 'clock.unsound' })
})
