import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as readText } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { databaseUrl } from '../../../test/database.ts'
import { groupCalls } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { createBrowser } from '../../../test/page-browser.ts'
import { readMail, startSmtpServer } from '../../../test/smtp-server.ts'
import { until } from '../../../test/until.ts'
import { sendDigests } from './send-digests.job.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let service: Service
let tenant: Tenant
let calls: ReturnType<typeof groupCalls>
const replies = new Map<string, string>()

before(async () => {
  smtp = await startSmtpServer((recipient) => replies.get(recipient))
  service = await startService({
    environment: {
      QUAYSIDE_SMTP_URL: smtp.url,
      QUAYSIDE_MAIL_FROM: 'Builds <builds@example.com>',
      QUAYSIDE_MAIL_BOUNCE_ADDRESS: 'bounces@example.com',
    },
  })
  tenant = await service.tenant()
  calls = groupCalls(service, tenant)
})
after(async () => {
  await service.close()
  await smtp.close()
})

const deliveriesTo = (email: string) => smtp.deliveries.filter(({ to }) => to.includes(email))
const memberOf = async (groupId: string, email: string) =>
  (await calls.send('GET', `/${groupId}/members?search=${encodeURIComponent(email)}`)).body.data[0]
const notify = async (groupId: string, title?: string) => {
  const { body, text } = await calls.share(groupId, await calls.release([], title))
  assert.equal(typeof body.notified_count, 'number', text)
  return body.notified_count as number
}

test('records a rejected address with its reason and sends no more emails to it until it is cleared', async () => {
  const email = 'gone@example.org'
  replies.set(email, '550 5.1.1 no such mailbox')
  const groupId = await calls.group([email, 'here@example.org'])
  const otherId = await calls.group([email])
  assert.equal(await notify(groupId), 2)
  const bounced = await until('the rejection', async () => {
    const member = await memberOf(groupId, email)
    return member.bounced_at !== null && member
  })
  assert.match(bounced.bounce_reason, /550 5\.1\.1 no such mailbox/)
  assert.notEqual((await memberOf(otherId, email)).bounced_at, null)
  assert.equal((await auditEntry(service, groupId)).action, 'distribution_group.member_bounced')
  replies.delete(email)
  assert.deepEqual([await notify(groupId), await notify(otherId)], [1, 0])
  const path = `/${groupId}/members/${bounced.id}/bounce`
  const cleared = await calls.send('DELETE', path)
  assert.deepEqual(
    [cleared.status, cleared.body.data.bounced_at, cleared.body.data.bounce_reason],
    [200, null, null],
  )
  assert.equal(await notify(groupId), 2)
  await until('the email', () => deliveriesTo(email)[0])
})

test('does not blame the address for other rejections', async () => {
  const [spam, later] = ['spam@example.org', 'later@example.org']
  replies.set(spam, '554 5.7.1 rejected as spam')
  replies.set(later, '450 4.2.1 try later')
  const groupId = await calls.group([spam, later])
  await notify(groupId)
  await until('both attempts', async () => {
    const { body } = await service.call('GET', '/workspace/outbox?per_page=100', { key: tenant.workspaceKey })
    const errors = body.data.filter(({ error }: { error: string | null }) => error !== null)
    return errors.filter((mail: { recipient: string }) => [spam, later].includes(mail.recipient)).length === 2
  })
  for (const email of [spam, later]) assert.equal((await memberOf(groupId, email)).bounced_at, null)
})

/** Runs the command as a mail server does. */
async function recordBounce(message: string, ...args: string[]): Promise<string> {
  const program = new URL('../../operations/admin-command.ts', import.meta.url).pathname
  const child = spawn(
    process.execPath,
    ['--conditions=@quayside/source', program, 'record-bounce', ...args],
    {
      env: {
        ...process.env,
        QUAYSIDE_DATA_DIR: service.dataDir,
        DATABASE_URL: databaseUrl(service.state.connection),
        ...service.state.storage,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  child.stdin.end(message)
  const [output] = await Promise.all([readText(child.stdout), once(child, 'exit')])
  assert.equal(child.exitCode, 0)
  return output
}

const report = (to: string, status: string) =>
  `To: ${to}\nContent-Type: multipart/report; boundary="x"\n\n--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; 550 ${status} mailbox closed\n\n--x--\n`

test('records the report of a mail server for the email with its signed return path', async () => {
  const [email, other] = ['closed@example.org', 'open@example.org']
  const groupId = await calls.group([email, other])
  await notify(groupId)
  const { from } = await until('the email', () => deliveriesTo(email)[0])
  assert.match(from, /^bounces\+\w+@example\.com$/)
  const forged = from.replace(/.(?=@)/, (letter) => (letter === '2' ? '3' : '2'))
  assert.match(await recordBounce(report(forged, '5.1.1')), /^Ignored/)
  assert.match(await recordBounce(report(from, '5.7.1')), /^Ignored/)
  assert.equal((await memberOf(groupId, email)).bounced_at, null)
  assert.match(await recordBounce(report('bounces@example.com', '5.2.1'), '--recipient', from), /^Recorded/)
  const { bounced_at: at, bounce_reason: reason } = await memberOf(groupId, email)
  assert.deepEqual([typeof at, reason], ['string', '550 5.2.1 mailbox closed'])
  assert.equal((await memberOf(groupId, other)).bounced_at, null)
})

/** Makes the summaries of everyone due. */
const makeDue = () =>
  service.deps.db.updateTable('digest_entries').set({ due_at: '2026-01-01T08:00:00Z' }).execute()
const runDigests = () => sendDigests.handle(service.deps, {}, new AbortController().signal)

test('lets a member choose a summary on the page of the subscription', async () => {
  const email = 'daily@example.org'
  const groupId = await calls.group([email])
  await notify(groupId)
  const mail = readMail(await until('the email', () => deliveriesTo(email)[0]))
  const [, url = ''] = /^<(.*)>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? []
  assert.match(
    (await createBrowser().open(url)).text,
    /<option value="none"\s+selected>\s*One email per release/,
  )
  const choose = async (digest: string) =>
    (await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'digest', digest }) })).text()
  assert.match(await choose('daily'), /<option value="daily"\s+selected>[^]*role="status"/)
  assert.equal((await memberOf(groupId, email)).digest, 'daily')
  assert.equal(await notify(groupId), 1)
  const [{ due_at: due } = { due_at: '' }] = (await entries(groupId)).rows
  assert.match(due, /T08:00:00/)
  assert.ok(Date.parse(due) - Date.now() <= 24 * 3_600_000)
  await choose('none')
  await calls.send('PATCH', `/${groupId}`, { digest: 'weekly' })
  await notify(groupId)
  await until('an email without a summary', () => deliveriesTo(email)[1])
})

test('waits for the summary, leaves out withdrawn releases and respects an unsubscription', async () => {
  const [ann, bob] = ['ann-weekly@example.org', 'bob-weekly@example.org']
  const groupId = await calls.group([ann, bob], { digest: 'weekly' })
  for (const title of ['First', 'Second']) assert.equal(await notify(groupId, title), 2)
  const withdrawn = await calls.release([], 'Third')
  await calls.share(groupId, withdrawn)
  await calls.send('DELETE', `/${groupId}/releases/${withdrawn}`)
  const { rows } = await entries(groupId)
  assert.equal(rows.length, 6)
  for (const { due_at: due } of rows) {
    assert.match(due, /T08:00:00/)
    assert.equal(new Date(due).getUTCDay(), 1)
    assert.ok(Date.parse(due) > Date.now())
  }
  await runDigests()
  assert.deepEqual([deliveriesTo(ann).length, (await entries(groupId)).rows.length], [0, 6])
  await service.deps.db
    .updateTable('distribution_group_members')
    .set({ unsubscribed_at: new Date().toISOString() })
    .where('email', '=', bob)
    .execute()
  await makeDue()
  await Promise.all([runDigests(), runDigests(), runDigests()])
  const summary = readMail(await until('the summary', () => deliveriesTo(ann)[0]))
  assert.match(summary.headers['subject'] ?? '', /^2 new releases from/)
  assert.match(summary.text, /First[^]*Second/)
  assert.doesNotMatch(summary.text, /Third/)
  const links = summary.text.match(/^http\S+\/group-links\/\S+$/gm) ?? []
  assert.equal(new Set(links).size, 2)
  for (const link of links) assert.equal((await service.call('GET', link, { key: null })).status, 200)
  assert.equal(summary.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  await runDigests()
  assert.deepEqual([deliveriesTo(ann).length, deliveriesTo(bob).length], [1, 0])
  const mails = await service.deps.db.selectFrom('mails').select('id').where('recipient', '=', ann).execute()
  assert.equal(mails.length, 1)
})

const entries = async (groupId: string) => ({
  rows: await service.deps.db
    .selectFrom('digest_entries')
    .innerJoin('distribution_group_members as m', 'm.id', 'digest_entries.member_id')
    .select('digest_entries.due_at')
    .where('m.distribution_group_id', '=', groupId)
    .execute(),
})
