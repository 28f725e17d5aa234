import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { startSmtpServer } from '../../../test/smtp-server.ts'
import { until } from '../../../test/until.ts'

let withSmtp: Service
let withoutSmtp: Service
let smtp: Awaited<ReturnType<typeof startSmtpServer>>

before(async () => {
  smtp = await startSmtpServer((recipient) =>
    recipient.startsWith('unreachable') ? '550 no such person' : undefined,
  )
  withSmtp = await startService({ environment: { QUAYSIDE_SMTP_URL: smtp.url } })
  withoutSmtp = await startService()
})
after(async () => {
  await withSmtp.close()
  await withoutSmtp.close()
  await smtp.close()
})

const invite = (service: Service, key: string, email: string) =>
  service.call('POST', '/workspace/invitations', { key, body: { email, role: 'member' } })

const accept = (service: Service, token: string, name: string) =>
  service.call('POST', `/invitations/${token}/accept`, { key: null, body: { name } })

const outboxMail = async (service: Service, key: string, recipient: string) =>
  (await service.call('GET', '/workspace/outbox?per_page=100&sort=desc', { key })).body.data.find(
    (mail: { recipient: string }) => mail.recipient === recipient,
  )

const isVerified = async (service: Service, email: string) =>
  (await service.deps.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst())
    ?.email_verified

/** Returns the token in the email that the SMTP server received for the recipient. */
const deliveredToken = (recipient: string) =>
  until(`an email to ${recipient}`, () => {
    const delivery = smtp.deliveries.find(({ to }) => to.includes(recipient))
    return /qsi_[\w-]+/.exec(delivery?.data.replaceAll('=\n', '') ?? '')?.[0]
  })

test('sends the invitation token only by email and marks the address as verified on acceptance', async () => {
  const { workspaceKey } = await withSmtp.tenant()
  const created = await invite(withSmtp, workspaceKey, 'grace@example.com')
  assert.deepEqual([created.status, created.body.data.token, created.body.data.url], [201, null, null])
  const token = await deliveredToken('grace@example.com')
  assert.equal((await accept(withSmtp, token, 'Grace')).status, 200)
  assert.equal(await isVerified(withSmtp, 'grace@example.com'), true)
})

test('hides invitation tokens in the outbox when an SMTP server is configured', async () => {
  const { workspaceKey } = await withSmtp.tenant()
  const email = 'unreachable@example.com'
  await invite(withSmtp, workspaceKey, email)
  const failed = await until('the email has failed', async () => {
    const mail = await outboxMail(withSmtp, workspaceKey, email)
    return mail.state === 'failed' ? mail : undefined
  })
  assert.match(failed.text_body, /invitations\/\[hidden\]/)
  assert.ok(!JSON.stringify(failed).includes('qsi_'))
})

test('shows invitation tokens only to keys with every scope if no SMTP server is configured', async () => {
  const { workspaceId, workspaceKey } = await withoutSmtp.tenant()
  const limited = await withoutSmtp.key(workspaceId, null, ['members:write'])
  const hidden = await invite(withoutSmtp, limited, 'hidden@example.com')
  assert.deepEqual([hidden.status, hidden.body.data.token, hidden.body.data.url], [201, null, null])
  const shown = (await invite(withoutSmtp, workspaceKey, 'shown@example.com')).body.data
  for (const email of ['hidden@example.com', 'shown@example.com']) {
    assert.match((await outboxMail(withoutSmtp, limited, email)).text_body, /invitations\/\[hidden\]/)
    assert.match((await outboxMail(withoutSmtp, workspaceKey, email)).text_body, /invitations\/qsi_/)
  }
  const token = new URL(shown.url).pathname.split('/').at(-1)
  assert.equal(token, shown.token)
  assert.equal((await accept(withoutSmtp, shown.token, 'Shown')).status, 200)
  assert.equal(await isVerified(withoutSmtp, 'shown@example.com'), false)
})

test('keeps tokens in earlier emails hidden after the SMTP server is removed from the settings', async () => {
  const { workspaceKey, workspaceId } = await withoutSmtp.tenant()
  await invite(withoutSmtp, workspaceKey, 'private@example.com')
  await withoutSmtp.deps.db
    .updateTable('mails')
    .set({ is_private: true })
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.match((await outboxMail(withoutSmtp, workspaceKey, 'private@example.com')).text_body, /\[hidden\]/)
})

test('does not reveal the name a person uses in one workspace to other workspaces', async () => {
  const email = 'ceo@example.com'
  const join = async (of: Tenant, name: string) => {
    const { token } = (await invite(withoutSmtp, of.workspaceKey, email)).body.data
    return accept(withoutSmtp, token, name)
  }
  const names = async (of: Tenant) => {
    const { body } = await withoutSmtp.call('GET', '/workspace/members?search=ceo@', { key: of.workspaceKey })
    return body.data.map(({ name }: { name: string }) => name)
  }
  const [first, second] = [await withoutSmtp.tenant(), await withoutSmtp.tenant()]
  await join(first, 'Mallory was here')
  const joined = await join(second, 'Ada Lovelace')
  assert.equal(joined.body.data.name, 'Ada Lovelace')
  assert.ok(!joined.text.includes('Mallory'))
  assert.deepEqual([await names(first), await names(second)], [['Mallory was here'], ['Ada Lovelace']])
  const found = await withoutSmtp.call('GET', '/workspace/members?search=mallory', {
    key: second.workspaceKey,
  })
  assert.deepEqual(found.body.data, [])
})
