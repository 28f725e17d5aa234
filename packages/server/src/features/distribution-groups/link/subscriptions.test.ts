import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../../test/audit.ts'
import { groupCalls } from '../../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { createBrowser, textOf } from '../../../../test/page-browser.ts'
import { readMail, startSmtpServer } from '../../../../test/smtp-server.ts'
import { until } from '../../../../test/until.ts'
import { versionOf } from '../../../../test/uploading.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let service: Service
let tenant: Tenant
let calls: ReturnType<typeof groupCalls>

before(async () => {
  smtp = await startSmtpServer()
  service = await startService({
    environment: { QUAYSIDE_SMTP_URL: smtp.url, QUAYSIDE_MAIL_FROM: 'Builds <builds@example.com>' },
  })
  tenant = await service.tenant()
  calls = groupCalls(service, tenant)
})
after(async () => {
  await service.close()
  await smtp.close()
})

const mailsTo = (email: string) => smtp.deliveries.filter(({ to }) => to.includes(email)).map(readMail)

/** Notifies the members of a group of a new release and waits for the email to one of them. */
async function notify(groupId: string, email: string, fields: object = {}) {
  const count = mailsTo(email).length
  const { body } = await service.call('POST', `/applications/${tenant.applicationId}/releases`, {
    key: tenant.workspaceKey,
    body: { title: 'Big news', ...versionOf(1, 2, 3), ...fields },
  })
  await calls.share(groupId, body.data.id)
  return until('the email', () => mailsTo(email)[count])
}

const unsubscribeUrlOf = ({ headers }: { headers: Record<string, string> }): string =>
  /^<(.*)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? assert.fail('no List-Unsubscribe header')

const memberOf = async (groupId: string, email: string) =>
  (await calls.send('GET', `/${groupId}/members?search=${email}`)).body.data[0]

test('sends the notes of a release in a text part and a sanitized HTML part', async () => {
  const email = 'notes@example.com'
  const notes = `## Faster\n\n- **Start** in 1 s\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n- [x] done\n\n<script>alert(1)</script>

![pixel](https://evil.example/pixel.png) [go](javascript:alert(1))`
  const mail = await notify(await calls.group([email]), email, { notes })
  assert.ok(mail.text.includes('## Faster') && mail.text.includes('- **Start** in 1 s'))
  assert.match(mail.text, /^http\S+\/group-links\/\S+$/m)
  assert.match(mail.html, /<li style="[^"]+"><strong>Start<\/strong> in 1 s<\/li>/)
  assert.match(mail.html, /<td style="[^"]+">1<\/td>/)
  assert.match(mail.html, /☑ ?done/)
  assert.doesNotMatch(mail.html, /<script|<img|<input|href="javascript|<link|url\(|@import/)
  assert.equal(mail.headers['auto-submitted'], 'auto-generated')
})

test('shortens long notes at a paragraph', async () => {
  const email = 'long@example.com'
  const paragraphs = Array.from({ length: 200 }, (_, index) => `Paragraph ${index} ${'x'.repeat(60)}`)
  const mail = await notify(await calls.group([email]), email, { notes: paragraphs.join('\n\n') })
  for (const part of [mail.text, mail.html]) {
    assert.match(part, /Paragraph 60 x{60}(\n|<)/)
    assert.doesNotMatch(part, /Paragraph 100/)
    assert.match(part, /complete notes are on the page/)
  }
  assert.ok(mail.html.length < 60_000)
})

test('writes hostile names neither into headers nor as markup', async () => {
  const email = 'hostile@example.com'
  const hostile = '<b>x</b>" onload="alert(1)'
  const groupId = await calls.group([email], { name: hostile })
  const title = `${hostile}\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>`
  const mail = await notify(groupId, email, { title: title.replaceAll(/\r\n/g, ' ') })
  assert.equal(mail.headers['bcc'], undefined)
  assert.doesNotMatch(mail.html, /<b>x|<script|"\s*onload="/)
  assert.ok(mail.html.includes('&#60;b&#62;x&#60;/b&#62;'))
  assert.deepEqual(
    smtp.deliveries.filter(({ to }) => to.includes('victim@example.com')),
    [],
  )
})

test('unsubscribes a member with one click and stops the emails of that group only', async () => {
  const [email, other] = ['one-click@example.com', 'other@example.com']
  const groupId = await calls.group([email, other])
  const mail = await notify(groupId, email)
  assert.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  const url = unsubscribeUrlOf(mail)
  assert.ok(mail.text.includes(url) && mail.html.includes(url))
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  assert.equal(response.status, 200)
  const member = await memberOf(groupId, email)
  assert.equal(typeof member.unsubscribed_at, 'string')
  const entry = await auditEntry(service, groupId)
  assert.equal(entry.action, 'distribution_group.member_unsubscribed')
  await notify(groupId, other)
  const outbox = await service.call('GET', '/workspace/outbox?sort=desc&per_page=100', {
    key: tenant.workspaceKey,
  })
  const recipients = outbox.body.data.map(({ recipient }: { recipient: string }) => recipient)
  assert.equal(recipients.filter((recipient: string) => recipient === email).length, 1)
  await notify(await calls.group([email]), email)
  assert.equal(mailsTo(email).length, 2)
})

test('asks before it unsubscribes and lets people subscribe again', async () => {
  const email = 'page-of@example.com'
  const groupId = await calls.group([email], { name: 'Testers & <friends>' })
  const url = unsubscribeUrlOf(await notify(groupId, email))
  const browser = createBrowser()
  for (const accept of ['*/*', 'text/html']) await browser.open(url, { accept })
  await browser.head(url)
  assert.equal((await memberOf(groupId, email)).unsubscribed_at, null)
  const page = await browser.open(url)
  assert.match(page.text, /<strong>Testers &#38; &#60;friends&#62;<\/strong>/)
  const done = await browser.submit(page, 'Unsubscribe')
  assert.match(textOf(done), /You are unsubscribed page-of@example\.com gets no more emails/)
  const { unsubscribed_at: since } = await memberOf(groupId, email)
  assert.notEqual(since, null)
  await browser.submit(page, 'Unsubscribe')
  assert.equal((await memberOf(groupId, email)).unsubscribed_at, since)
  await calls.add(groupId, [email])
  assert.equal((await memberOf(groupId, email)).unsubscribed_at, since)
  const again = await browser.submit(await browser.open(url), 'Subscribe again')
  assert.match(textOf(again), /Emails about releases/)
  assert.equal((await memberOf(groupId, email)).unsubscribed_at, null)
  await notify(groupId, email)
})

test('accepts only the URL of the member', async () => {
  const [one, two] = ['url-one@example.com', 'url-two@example.com']
  const groupId = await calls.group([one, two])
  const mail = await notify(groupId, one)
  const url = unsubscribeUrlOf(mail)
  const { id } = await memberOf(groupId, two)
  const wrong = [
    `${url}x`,
    url.slice(0, -1),
    url.replace(/[^/]+(?=\/[^/]+$)/, id),
    url.replace(/[^/]+(?=\/[^/]+$)/, 'x'),
  ]
  for (const each of wrong) {
    assert.equal((await fetch(each, { method: 'POST' })).status, 404)
    assert.match(textOf(await createBrowser().open(each)), /This link does not work/)
  }
  assert.equal((await memberOf(groupId, two)).unsubscribed_at, null)
  await calls.send('DELETE', `/${groupId}/members/${(await memberOf(groupId, one)).id}`)
  assert.equal((await fetch(url, { method: 'POST' })).status, 404)
})
