import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { inboxes } from '../../../test/inboxes.ts'
import { versionOf } from '../../../test/uploading.ts'
import { emailSubscriptionUrl } from './email-subscription.ts'
import { sendNotificationEmails } from './send-notification-emails.job.ts'

let service: Service
before(async () => {
  service = await startService({ sendsWebhooks: true })
})
after(() => service.close())
const { send, succeed, addPerson, settled, inboxOf, addRule, upload } = inboxes(() => service)

describe('emails about notifications', () => {
  const sendEmails = () => sendNotificationEmails.handle(service.deps, {}, new AbortController().signal)
  type Email = { recipient: string; subject: string; text_body: string }
  const emailsOf = async ({ workspaceKey: key }: Tenant): Promise<Email[]> =>
    (await succeed(key, 'GET', '/workspace/outbox')).data
  const setUp = async (settings: object) => {
    const tenant = await service.tenant()
    const person = await addPerson(tenant, {
      workspaceRole: 'owner',
      email: `p.${tenant.workspaceId}@example.com`,
    })
    await addRule(person, { kind: 'build', sends_email: true })
    await succeed(person.session, 'PATCH', '/notification-settings', settings)
    return { tenant, person }
  }
  const inHours = (hours: number) =>
    `${String((new Date().getUTCHours() + 24 + hours) % 24).padStart(2, '0')}:00`

  test('send what is unread once, and to nobody who lost access', async () => {
    const { tenant, person } = await setUp({ email: 'at_once' })
    const member = await addPerson(tenant, { applicationRole: 'qa' })
    await addRule(member, { kind: 'build', sends_email: true })
    for (const minor of [1, 2, 3]) await upload(tenant, versionOf(1, minor))
    const [newest] = await inboxOf(person)
    await succeed(person.session, 'PATCH', `/notifications/${newest.id}`, { read: true })
    await service.deps.db.deleteFrom('application_members').where('user_id', '=', member.id).execute()
    await Promise.all([sendEmails(), sendEmails()])
    await sendEmails()
    const [email, ...others] = await emailsOf(tenant)
    assert.deepEqual(others, [])
    assert.equal(email?.recipient, `p.${tenant.workspaceId}@example.com`)
    assert.match(email?.subject ?? '', /^2 notifications from /)
    assert.match(email?.text_body ?? '', /1\.1\.0 for Linux .*\n.*\n\n.* 1\.2\.0 for Linux /)
  })

  test('wait until quiet hours have ended', async () => {
    const quiet = { from: inHours(-2), to: inHours(2) }
    const { tenant, person } = await setUp({ email: 'at_once', quiet_hours: quiet })
    await upload(tenant)
    await settled()
    await sendEmails()
    assert.deepEqual(await emailsOf(tenant), [])
    // The same time of day has passed in a time zone that is five hours ahead.
    await succeed(person.session, 'PATCH', '/notification-settings', { time_zone: 'asia/karachi' })
    assert.equal(
      (await succeed(person.session, 'GET', '/notification-settings')).data.time_zone,
      'Asia/Karachi',
    )
    await sendEmails()
    assert.equal((await emailsOf(tenant)).length, 1)
  })

  test('are one summary at the chosen hour', async () => {
    const { tenant, person } = await setUp({ email: 'daily', digest_hour: new Date().getUTCHours() })
    for (const minor of [1, 2]) await upload(tenant, versionOf(1, minor))
    await settled()
    await sendEmails()
    assert.deepEqual(await emailsOf(tenant), [], 'the hour of today has begun before the uploads')
    await service.deps.db
      .updateTable('notifications')
      .set({ created_at: new Date(Date.now() - 2 * 60 * 60 * 1000).toISOString() })
      .where('user_id', '=', person.id)
      .execute()
    await sendEmails()
    await sendEmails()
    const [email, ...others] = await emailsOf(tenant)
    assert.deepEqual(others, [])
    assert.match(email?.text_body ?? '', /daily summary/)
  })

  test('end with the unsubscribe link, also with one click', async () => {
    const { tenant, person } = await setUp({ email: 'at_once' })
    await upload(tenant)
    await settled()
    await sendEmails()
    const stored = await service.deps.db
      .selectFrom('mails')
      .select('unsubscribe_url')
      .where('workspace_id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow()
    const { pathname } = new URL(stored.unsubscribe_url ?? '')
    const mode = async () => (await succeed(person.session, 'GET', '/notification-settings')).data.email
    const open = (init?: RequestInit, suffix = '') => fetch(`${service.url}${pathname}${suffix}`, init)
    assert.match(await (await open()).text(), /gets emails about notifications in/)
    assert.equal(await mode(), 'at_once')
    await upload(tenant, versionOf(2))
    await settled()
    assert.equal(
      (await open({ method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })).status,
      200,
    )
    assert.equal(await mode(), 'none')
    await sendEmails()
    assert.equal((await emailsOf(tenant)).length, 1, 'waiting emails are discarded')
    assert.equal(
      (await open({ method: 'POST', body: new URLSearchParams({ action: 'subscribe' }) })).status,
      200,
    )
    assert.equal(await mode(), 'at_once')
    assert.equal((await open(undefined, 'x')).status, 404)
  })

  test('resume as a daily summary if they were one before the person unsubscribed', async () => {
    const { tenant, person } = await setUp({ email: 'daily' })
    const member = { workspaceId: tenant.workspaceId, userId: person.id }
    const { pathname } = new URL(emailSubscriptionUrl(service.deps, member).url)
    const mode = async () => (await succeed(person.session, 'GET', '/notification-settings')).data.email
    for (const [action, expected] of [
      ['unsubscribe', 'none'],
      ['unsubscribe', 'none'],
      ['subscribe', 'daily'],
    ] as const) {
      const body = new URLSearchParams({ action })
      assert.equal((await fetch(`${service.url}${pathname}`, { method: 'POST', body })).status, 200)
      assert.equal(await mode(), expected)
    }
  })

  test('reject settings that no day has', async () => {
    const { person } = await setUp({ email: 'at_once' })
    const { status, body } = await send(person.session, 'PATCH', '/notification-settings', {
      quiet_hours: { from: '22:00', to: '22:00' },
      time_zone: 'Mars/Olympus',
    })
    assert.deepEqual([status, Object.keys(body.errors).toSorted()], [422, ['quiet_hours.to', 'time_zone']])
  })
})
