import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service } from '../../../test/harness.ts'
import { readMail, startSmtpServer } from '../../../test/smtp-server.ts'
import { until } from '../../../test/until.ts'
import { inTransaction } from '../../database/transaction.ts'
import { enqueueMail, enqueueMails } from './mail.ts'

let withoutSmtp: Service
let withSmtp: Service
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
const replies = new Map([
  ['later@example.com', '450 try later'],
  ['nobody@example.com', '550 no such person'],
])

before(async () => {
  smtp = await startSmtpServer((recipient) => {
    const reply = replies.get(recipient)
    if (recipient === 'later@example.com') replies.delete(recipient)
    return reply
  })
  withoutSmtp = await startService()
  withSmtp = await startService({
    environment: { QUAYSIDE_SMTP_URL: smtp.url, QUAYSIDE_MAIL_FROM: 'Builds <builds@example.com>' },
  })
})
after(async () => {
  await withoutSmtp.close()
  await withSmtp.close()
  await smtp.close()
})

const mail = (workspaceId: string, to: string) => ({
  workspaceId,
  to,
  subject: 'Ünï 😀',
  text: 'Hello\n.\nhttps://x.example/secret-link\n',
  html: '<p>Hello</p>',
})

const enqueue = (service: Service, workspaceId: string, to: string) =>
  inTransaction(service.deps.db, (tx) => enqueueMail(tx, service.deps, mail(workspaceId, to)))

async function listOutbox(service: Service, key: string, query = '') {
  const response = await service.call('GET', `/workspace/outbox${query}`, { key })
  assert.equal(response.status, 200)
  return response.body
}

type MailBody = { state: string; error: string | null }

const waitForMail = (service: Service, key: string, id: string, matches: (mail: MailBody) => boolean) =>
  until(`the mail ${id} has the expected state`, async () => {
    const found = (await listOutbox(service, key)).data.find((each: { id: string }) => each.id === id)
    return found !== undefined && matches(found) && found
  })

test('keeps an email in the outbox of its workspace when no SMTP server is configured', async () => {
  const [own, other] = [await withoutSmtp.tenant(), await withoutSmtp.tenant()]
  const id = await enqueue(withoutSmtp, own.workspaceId, 'ann@example.com')
  const { data, pagination } = await listOutbox(withoutSmtp, own.workspaceKey)
  assert.equal(pagination.total, 1)
  assert.deepEqual([data[0].id, data[0].recipient, data[0].state], [id, 'ann@example.com', 'waiting'])
  assert.match(data[0].text_body, /secret-link/)
  assert.equal((await listOutbox(withoutSmtp, other.workspaceKey)).pagination.total, 0)
  assert.equal((await listOutbox(withoutSmtp, own.workspaceKey, '?state=sent')).pagination.total, 0)
})

test('neither stores nor sends an email if its transaction is rolled back', async () => {
  const { workspaceId, workspaceKey } = await withSmtp.tenant()
  await assert.rejects(
    inTransaction(withSmtp.deps.db, async (tx) => {
      await enqueueMail(tx, withSmtp.deps, mail(workspaceId, 'rolled-back@example.com'))
      throw new Error('no')
    }),
  )
  const id = await enqueue(withSmtp, workspaceId, 'after@example.com')
  await waitForMail(withSmtp, workspaceKey, id, ({ state }) => state === 'sent')
  assert.equal((await listOutbox(withSmtp, workspaceKey)).pagination.total, 1)
  assert.ok(!smtp.deliveries.some(({ to }) => to.includes('rolled-back@example.com')))
})

test('sends an email once and deletes the stored body', async () => {
  const { workspaceId, workspaceKey } = await withSmtp.tenant()
  const id = await enqueue(withSmtp, workspaceId, 'bea@example.com')
  const sent = await waitForMail(withSmtp, workspaceKey, id, ({ state }) => state === 'sent')
  assert.deepEqual([sent.text_body, sent.html_body, sent.error], [null, null, null])
  const deliveries = smtp.deliveries.filter(({ to }) => to.includes('bea@example.com'))
  assert.equal(deliveries.length, 1)
  assert.equal(deliveries[0]?.from, 'builds@example.com')
  assert.match(deliveries[0]?.data ?? '', new RegExp(`Message-ID: <${id}@example.com>`, 'i'))
  const row = await withSmtp.deps.db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
  assert.ok(!JSON.stringify(row).includes('secret-link'))
})

test('names who invites and what into in both parts of an invitation', async () => {
  const hostile = '<img src=x onerror=alert(1)> & "Co"'
  const { workspaceKey, workspaceId, applicationId } = await withSmtp.tenant()
  const rename = { key: workspaceKey, body: { name: hostile } }
  assert.equal((await withSmtp.call('PATCH', `/applications/${applicationId}`, rename)).status, 200)
  const workspace = (await withSmtp.call('GET', '/workspace', { key: workspaceKey })).body.data.name
  const body = { email: 'guest@example.com', role: 'readonly', application_id: applicationId }
  const { status, text: reason } = await withSmtp.call('POST', '/workspace/invitations', {
    key: workspaceKey,
    body,
  })
  assert.equal(status, 201, reason)
  const delivery = await until('the invitation', () =>
    smtp.deliveries.find(({ to }) => to.includes('guest@example.com')),
  )
  const { headers, text, html } = readMail(delivery)
  const { name } = await withSmtp.deps.db
    .selectFrom('api_keys')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', 'is', null)
    .executeTakeFirstOrThrow()
  assert.ok(
    text.includes(`The API key “${name}” invited you to the application ${hostile} in ${workspace}`),
    text,
  )
  assert.match(
    html,
    new RegExp(`<strong>The API key “${name}”</strong> invited you to the application &#60;img`),
  )
  assert.doesNotMatch(html, /<img/)
  assert.match(headers['content-type'] ?? '', /^multipart\/alternative/)
  const [url = ''] = /http\S+\/invitations\/\S+/.exec(text) ?? []
  assert.ok(html.includes(`href="${url}"`))
  assert.equal(headers['list-unsubscribe'], undefined)
})

test('stores the error for a deferred email and sends the email on a later attempt', async () => {
  const { workspaceId, workspaceKey } = await withSmtp.tenant()
  const id = await enqueue(withSmtp, workspaceId, 'later@example.com')
  const waiting = await waitForMail(withSmtp, workspaceKey, id, ({ error }) => error !== null)
  assert.equal(waiting.state, 'waiting')
  assert.match(waiting.error, /450/)
  await waitForMail(withSmtp, workspaceKey, id, ({ state }) => state === 'sent')
})

test('marks a permanently rejected email as failed and stores the reason', async () => {
  const { workspaceId, workspaceKey } = await withSmtp.tenant()
  const id = await enqueue(withSmtp, workspaceId, 'nobody@example.com')
  const failed = await waitForMail(withSmtp, workspaceKey, id, ({ state }) => state === 'failed')
  assert.match(failed.error, /550 no such person/)
})

test('sends 299 emails exactly once when the server rejects one email in a batch of 300', async () => {
  const { workspaceId, workspaceKey } = await withSmtp.tenant()
  const recipients = Array.from({ length: 300 }, (_, i) => `crowd${i}@example.com`)
  replies.set('crowd7@example.com', '550 no such person')
  await inTransaction(withSmtp.deps.db, (tx) =>
    enqueueMails(
      tx,
      withSmtp.deps,
      recipients.map((to) => mail(workspaceId, to)),
    ),
  )
  const total = async (state: string): Promise<number> =>
    (await listOutbox(withSmtp, workspaceKey, `?state=${state}`)).pagination.total
  await until('no mail is waiting', async () => (await total('waiting')) === 0, { everyMs: 100 })
  assert.deepEqual([await total('sent'), await total('failed')], [299, 1])
  const delivered = smtp.deliveries.flatMap(({ to }) => to).filter((to) => to.startsWith('crowd'))
  assert.deepEqual(delivered.toSorted(), recipients.filter((to) => to !== 'crowd7@example.com').toSorted())
})
