import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { ageBuild } from '../../../test/aging.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { insertMember } from '../../../test/people.ts'
import { uploadedBuild, versionOf } from '../../../test/uploading.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Scope } from '../../http/endpoint/scopes.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { insertMails } from '../mails/mail.db.ts'
import { lowStorage } from './attention.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Lists the items that do not depend on the disk of this machine. */
const attention = async ({ workspaceKey: key }: Tenant) => {
  const response = await service.call('GET', '/workspace/attention', { key })
  assert.equal(response.status, 200, response.text)
  return response.body.data.filter(({ kind }: { kind: string }) => kind !== 'storage_low')
}
const application = ({ applicationId: id, workspaceId }: Tenant) => ({ id, name: `App ${workspaceId}` })
const none = { application: null, subject: null, platform: null, count: 1, due_at: null, bytes: null }
const setBuild = (id: string, columns: Record<string, unknown>) =>
  service.deps.db.updateTable('builds').set(columns).where('id', '=', id).execute()
const dayMs = 24 * 60 * 60 * 1000
const inDays = (days: number) => isoMicroseconds(new Date(Date.now() + days * dayMs))

test('lists nothing for a workspace without problems', async () => {
  const tenant = await service.tenant()
  await uploadedBuild(service, tenant)
  assert.deepEqual(await attention(tenant), [])
})

test('lists webhooks in the error state, and inactive ones for 14 days', async () => {
  const tenant = await service.tenant()
  const create = async () => {
    const path = `/applications/${tenant.applicationId}/webhooks`
    const body = { url: 'https://example.com/', event: 'build.created' }
    const { data } = (await service.call('POST', path, { key: tenant.applicationKey, body })).body
    return data.id as string
  }
  const fail = (id: string, days: number, columns: Record<string, unknown> = {}) =>
    service.deps.db
      .updateTable('webhooks')
      .set({ in_error_state: true, last_failed_request_at: inDays(-days), ...columns })
      .where('id', '=', id)
      .execute()
  const [failing, stopped, forgotten] = [await create(), await create(), await create()]
  await create()
  await fail(failing, 30)
  await fail(stopped, 13, { is_active: false })
  await fail(forgotten, 15, { is_active: false })
  const items = await attention(tenant)
  assert.deepEqual(
    items.map(({ subject }: { subject: { id: string } }) => subject.id),
    [stopped, failing],
  )
  assert.deepEqual(items[0], {
    ...none,
    kind: 'webhook_failing',
    severity: 'error',
    since: items[0].since,
    application: application(tenant),
    subject: { type: 'webhook', id: stopped, name: 'build.created' },
  })
})

test('counts builds of the last 14 days whose processing failed and names the newest', async () => {
  const tenant = await service.tenant()
  const fail = async (patch: number, days: number) => {
    const { build } = await uploadedBuild(service, tenant, versionOf(1, 0, patch))
    await setBuild(build.id, { processing: 'failed', processing_error: 'The file is damaged.' })
    await ageBuild(service, build.id, { days })
    return build.id as string
  }
  await fail(1, 15)
  await fail(2, 13)
  const newest = await fail(3, 1)
  const trashed = await fail(4, 0)
  await ageBuild(service, trashed, { inTrashDays: 0 })
  const [item, ...others] = await attention(tenant)
  assert.deepEqual(others, [])
  assert.deepEqual([item.kind, item.severity, item.count], ['processing_failed', 'warning', 2])
  assert.deepEqual(item.subject, { type: 'build', id: newest, name: '1.0.3' })
  assert.equal(item.platform.identifier, 'linux')
})

test('lists the newest build of a platform if its provisioning profile expires within 30 days', async () => {
  const listed = async (expiries: (string | null)[]) => {
    const tenant = await service.tenant()
    for (const [index, provisioning_profile_expiry] of expiries.entries()) {
      const fields = { ...versionOf(1, index), primary_file: { filename: 'a.ipa' }, platform: 'ios' }
      const { build } = await uploadedBuild(service, tenant, fields)
      // The job that inspects the file, which is not a package, would otherwise report it later.
      const inspected = { processing: 'done', processing_error: null }
      await setBuild(build.id, { ...inspected, ios_info: JSON.stringify({ provisioning_profile_expiry }) })
      await ageBuild(service, build.id, { days: expiries.length - index })
    }
    const items = await attention(tenant)
    return items.map((item: Record<string, unknown> & { subject: { name: string } }) => [
      item['kind'],
      item['severity'],
      item.subject.name,
      item['due_at'],
    ])
  }
  const kind = 'provisioning_profile_expiring'
  const soon = inDays(29)
  assert.deepEqual(await listed([inDays(5), soon]), [[kind, 'warning', '1.1.0', soon]])
  const expired = inDays(-1)
  assert.deepEqual(await listed([expired]), [[kind, 'error', '1.0.0', expired]])
  for (const expiry of [inDays(31), inDays(-31), '0000-01-01T00:00:00.000000Z', null])
    assert.deepEqual(await listed([soon, expiry]), [], String(expiry))
})

test('counts the builds of each stream that retention moves to the trash within 7 days', async () => {
  const tenant = await service.tenant()
  const { applicationId, applicationKey: key } = tenant
  const nightly = async (days: number) => {
    const { build } = await uploadedBuild(service, tenant, { stream: 'nightlies' }, Buffer.alloc(100, 1))
    await ageBuild(service, build.id, { days })
    return build.id as string
  }
  for (const days of [25, 24, 22]) await nightly(days)
  const [kept, released, shared, trashed] = [
    await nightly(26),
    await nightly(26),
    await nightly(26),
    await nightly(26),
  ]
  await setBuild(kept, { keep_forever: true })
  await ageBuild(service, trashed, { inTrashDays: 0 })
  const send = (path: string, body: object) =>
    service.call('POST', `/applications/${applicationId}${path}`, { key, body })
  await send(`/builds/${shared}/share-links`, {})
  const release = await send('/releases', { title: 'One', ...versionOf(1, 2, 3), build_ids: [released] })
  assert.equal(release.status, 201, release.text)
  const [item, ...others] = await attention(tenant)
  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...item, since: null, due_at: null, subject: item.subject.name },
    {
      ...none,
      kind: 'retention_due',
      severity: 'info',
      since: null,
      application: application(tenant),
      subject: 'nightlies',
      count: 2,
      bytes: 200,
    },
  )
  assert.ok(Math.abs(Date.parse(item.due_at) - Date.now() - 5 * dayMs) < 60_000)
})

test('counts the usable share links of an application that expire within 3 days', async () => {
  const tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant)
  const share = async (body: object) => {
    const path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
    const response = await service.call('POST', path, { key: tenant.applicationKey, body })
    assert.equal(response.status, 201, response.text)
    return response.body.data
  }
  const first = await share({ expires_at: inDays(1) })
  await share({ expires_at: inDays(2) })
  const revoked = await share({ expires_at: inDays(2) })
  await service.call('DELETE', `/share-links/${revoked.id}`, { key: tenant.applicationKey })
  await share({ expires_at: inDays(4) })
  await share({})
  const [item, ...others] = await attention(tenant)
  assert.deepEqual(others, [])
  assert.deepEqual([item.kind, item.count, item.due_at], ['share_links_expiring', 2, first.expires_at])
})

test('shows keys only what they can read', async () => {
  const tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant)
  await setBuild(build.id, { processing: 'failed' })
  const application = `/applications/${tenant.applicationId}`
  const webhook = { url: 'https://example.com/', event: 'build.created' }
  const created = await service.call('POST', `${application}/webhooks`, {
    key: tenant.applicationKey,
    body: webhook,
  })
  await service.deps.db
    .updateTable('webhooks')
    .set({ in_error_state: true, last_failed_request_at: inDays(-1) })
    .where('id', '=', created.body.data.id)
    .execute()
  await service.call('POST', `${application}/builds/${build.id}/share-links`, {
    key: tenant.applicationKey,
    body: { expires_at: inDays(1) },
  })
  const kindsFor = async (...scopes: Scope[]) => {
    const workspaceKey = await service.key(tenant.workspaceId, null, ['workspace:read', ...scopes])
    const items = await attention({ ...tenant, workspaceKey })
    return items.map(({ kind }: { kind: string }) => kind).toSorted()
  }
  assert.deepEqual(await kindsFor(), [])
  assert.deepEqual(await kindsFor('builds:read'), ['processing_failed'])
  assert.deepEqual(await kindsFor('webhooks:read'), ['webhook_failing'])
  assert.deepEqual(await kindsFor('share_links:read'), ['share_links_expiring'])
  const session = await service.signIn(await insertMember(service, tenant, { applicationRole: 'readonly' }))
  const shown = await attention({ ...tenant, workspaceKey: session })
  assert.equal(shown.length, 3)
})

test('counts the emails of the last 14 days that could not be sent', async () => {
  const tenant = await service.tenant()
  const { db } = service.deps
  const mail = {
    workspaceId: tenant.workspaceId,
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'Hello',
    html: '',
  }
  const ids = await inTransaction(db, (tx) => insertMails(tx, [mail, mail, mail], true))
  for (const [index, id] of ids.entries())
    await db
      .updateTable('mails')
      .set({ state: 'failed', created_at: sql<string>`now() - make_interval(days => ${index * 8}::int)` })
      .where('id', '=', id)
      .execute()
  const [item, ...others] = await attention(tenant)
  assert.deepEqual(others, [])
  assert.deepEqual(item, { ...none, kind: 'emails_failed', severity: 'warning', since: item.since, count: 2 })
})

test('reports the storage if uploads can use less than a tenth of the disk', async () => {
  const now = new Date()
  const item = { ...none, kind: 'storage_low', since: isoMicroseconds(now) }
  assert.deepEqual(lowStorage({ sizeBytes: 1000, usableBytes: 100 }, now), [])
  assert.deepEqual(lowStorage({ sizeBytes: 1000, usableBytes: 99 }, now), [
    { ...item, severity: 'warning', bytes: 99 },
  ])
  assert.deepEqual(lowStorage({ sizeBytes: 1000, usableBytes: 0 }, now), [
    { ...item, severity: 'error', bytes: 0 },
  ])
  assert.deepEqual(lowStorage(undefined, now), [])
})

test('lists nothing of other workspaces and of applications in the trash', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const { build } = await uploadedBuild(service, tenant)
  await setBuild(build.id, { processing: 'failed' })
  assert.equal((await attention(tenant)).length, 1)
  assert.deepEqual(await attention(other), [])
  const path = `/applications/${tenant.applicationId}`
  assert.equal((await service.call('DELETE', path, { key: tenant.workspaceKey })).status, 200)
  assert.deepEqual(await attention(tenant), [])
})
