import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startService, type Service } from '../../../test/harness.ts'
import { startSmtpServer } from '../../../test/smtp-server.ts'
import { inTransaction } from '../../database/transaction.ts'
import { enqueueMail, enqueueMails } from './mail.ts'

let kept: Service
let sending: Service
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
const firstAnswers = new Map([
  ['later@example.com', '450 try later'],
  ['nobody@example.com', '550 no such person'],
])

before(async () => {
  smtp = await startSmtpServer((recipient) => {
    const answer = firstAnswers.get(recipient)
    if (recipient === 'later@example.com') firstAnswers.delete(recipient)
    return answer
  })
  kept = await startService()
  sending = await startService({
    environment: { QUAYSIDE_SMTP_URL: smtp.url, QUAYSIDE_MAIL_FROM: 'Builds <builds@example.com>' },
  })
})
after(async () => {
  await kept.close()
  await sending.close()
  await smtp.close()
})

const mail = (workspaceId: string, to: string) => ({
  workspaceId,
  to,
  subject: 'Ünï 😀',
  text: 'Hello\n.\nhttps://x.example/secret-link\n',
  html: '<p>Hello</p>',
})

async function outbox(service: Service, key: string, query = '') {
  const answer = await service.call('GET', `/workspace/outbox${query}`, { key })
  assert.equal(answer.status, 200)
  return answer.body
}

type MailBody = { state: string; error: string | null }

async function mailThat(service: Service, key: string, id: string, isSo: (mail: MailBody) => boolean) {
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(50)) {
    const found = (await outbox(service, key)).data.find((each: { id: string }) => each.id === id)
    if (found !== undefined && isSo(found)) return found
  }
  throw new Error(`the mail ${id} did not become so`)
}

test('a mail without an SMTP server, it waits in the outbox of its workspace alone', async () => {
  const [own, other] = [await kept.tenant(), await kept.tenant()]
  const id = await inTransaction(kept.deps.db, (tx) =>
    enqueueMail(tx, kept.deps, mail(own.workspaceId, 'ann@example.com')),
  )
  const { data, pagination } = await outbox(kept, own.workspaceKey)
  assert.equal(pagination.total, 1)
  assert.deepEqual([data[0].id, data[0].recipient, data[0].state], [id, 'ann@example.com', 'waiting'])
  assert.match(data[0].text_body, /secret-link/)
  assert.equal((await outbox(kept, other.workspaceKey)).pagination.total, 0)
  assert.equal((await outbox(kept, own.workspaceKey, '?state=sent')).pagination.total, 0)
})

test('a mail whose transaction is rolled back, neither kept nor sent', async () => {
  const { workspaceId, workspaceKey } = await sending.tenant()
  await assert.rejects(
    inTransaction(sending.deps.db, async (tx) => {
      await enqueueMail(tx, sending.deps, mail(workspaceId, 'rolled-back@example.com'))
      throw new Error('no')
    }),
  )
  const id = await inTransaction(sending.deps.db, (tx) =>
    enqueueMail(tx, sending.deps, mail(workspaceId, 'after@example.com')),
  )
  await mailThat(sending, workspaceKey, id, ({ state }) => state === 'sent')
  assert.equal((await outbox(sending, workspaceKey)).pagination.total, 1)
  assert.ok(!smtp.deliveries.some(({ to }) => to.includes('rolled-back@example.com')))
})

test('a mail with an SMTP server, it is sent once and its text is dropped', async () => {
  const { workspaceId, workspaceKey } = await sending.tenant()
  const id = await inTransaction(sending.deps.db, (tx) =>
    enqueueMail(tx, sending.deps, mail(workspaceId, 'bea@example.com')),
  )
  const sent = await mailThat(sending, workspaceKey, id, ({ state }) => state === 'sent')
  assert.deepEqual([sent.text_body, sent.html_body, sent.error], [null, null, null])
  const deliveries = smtp.deliveries.filter(({ to }) => to.includes('bea@example.com'))
  assert.equal(deliveries.length, 1)
  assert.equal(deliveries[0]?.from, 'builds@example.com')
  assert.match(deliveries[0]?.data ?? '', new RegExp(`Message-ID: <${id}@example.com>`, 'i'))
  const row = await sending.deps.db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
  assert.ok(!JSON.stringify(row).includes('secret-link'))
})

test('a mail that the server puts off, its error is told and a later try sends it', async () => {
  const { workspaceId, workspaceKey } = await sending.tenant()
  const id = await inTransaction(sending.deps.db, (tx) =>
    enqueueMail(tx, sending.deps, mail(workspaceId, 'later@example.com')),
  )
  const waiting = await mailThat(sending, workspaceKey, id, ({ error }) => error !== null)
  assert.equal(waiting.state, 'waiting')
  assert.match(waiting.error, /450/)
  await mailThat(sending, workspaceKey, id, ({ state }) => state === 'sent')
})

test('a mail that the server refuses for good, failed with its reason', async () => {
  const { workspaceId, workspaceKey } = await sending.tenant()
  const id = await inTransaction(sending.deps.db, (tx) =>
    enqueueMail(tx, sending.deps, mail(workspaceId, 'nobody@example.com')),
  )
  const failed = await mailThat(sending, workspaceKey, id, ({ state }) => state === 'failed')
  assert.match(failed.error, /550 no such person/)
})

test('three hundred mails at once, each is sent once, and one that is refused holds up no other', async () => {
  const { workspaceId, workspaceKey } = await sending.tenant()
  const recipients = Array.from({ length: 300 }, (_, i) => `crowd${i}@example.com`)
  firstAnswers.set('crowd7@example.com', '550 no such person')
  await inTransaction(sending.deps.db, (tx) =>
    enqueueMails(
      tx,
      sending.deps,
      recipients.map((to) => mail(workspaceId, to)),
    ),
  )
  const total = async (state: string): Promise<number> =>
    (await outbox(sending, workspaceKey, `?state=${state}`)).pagination.total
  for (const until = Date.now() + 20_000; (await total('waiting')) > 0; await pause(100))
    assert.ok(Date.now() < until, `${await total('waiting')} mails still wait`)
  assert.deepEqual([await total('sent'), await total('failed')], [299, 1])
  const reached = smtp.deliveries.flatMap(({ to }) => to).filter((to) => to.startsWith('crowd'))
  assert.deepEqual(reached.toSorted(), recipients.filter((to) => to !== 'crowd7@example.com').toSorted())
})
