import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { concurrently } from '../../../test/concurrently.ts'
import { groupCalls } from '../../../test/distribution-groups.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { readMail, type Delivery } from '../../../test/smtp-server.ts'
import { until } from '../../../test/until.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

const testers = 500
const program = new URL('../../../test/smtp-server.process.ts', import.meta.url).pathname

let folder: string
let file: string
let port: string
let server: ChildProcess
let service: Service
let tenant: Tenant

/** Starts the mail server in its own process, the second time on the same port. */
async function startServer(wanted = '0'): Promise<void> {
  server = spawn(process.execPath, ['--conditions=@quayside/source', program, wanted, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(server.stdout!, 'data')) as [Buffer]
  port = line.toString().trim()
}

async function kill(): Promise<void> {
  const exited = once(server, 'exit')
  server.kill('SIGKILL')
  await exited
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-smtp-'))
  file = join(folder, 'mails')
  await startServer()
  service = await startService({
    environment: {
      QUAYSIDE_SMTP_URL: `smtp://127.0.0.1:${port}`,
      QUAYSIDE_MAIL_FROM: 'Builds <builds@example.com>',
    },
  })
  tenant = await service.tenant()
})
after(async () => {
  await service.close()
  await kill()
  await rm(folder, { recursive: true, force: true })
})

const delivered = (): Delivery[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Delivery)
    : []

/**
 * Returns the personal links by address. If the server is killed after it stored an email and before it confirmed it,
 * SMTP cannot exclude a second copy. It has the same Message-ID, by which mail programs and this test recognize it.
 */
function linksByAddress() {
  const mails = delivered().map((delivery) => ({ to: delivery.to[0] ?? '', ...readMail(delivery) }))
  const ids = new Map(mails.map(({ to, headers }) => [headers['message-id'] ?? '', to]))
  const links = new Map(
    mails.map(({ to, text }) => [to, /^http\S+\/group-links\/\S+$/m.exec(text)?.[0] ?? '']),
  )
  return { copies: mails.length, ids, links }
}

test('sends each of 500 testers one email although the mail server is killed twice', async (t) => {
  const calls = groupCalls(service, tenant)
  const emails = Array.from({ length: testers }, (_, n) => `tester${n}@example.com`)
  const groupId = await calls.group(emails)
  const { build } = await uploadedBuild(service, tenant)
  const releaseId = await calls.release([build.id])
  const shared = await calls.share(groupId, releaseId)
  assert.equal(shared.body.notified_count, testers)
  for (const share of [0.1, 0.4]) {
    await until('some emails are delivered', () => delivered().length > testers * share, {
      withinMs: 180_000,
    })
    await kill()
    await startServer(port)
  }
  const waiting = async () => {
    const { body } = await service.call('GET', '/workspace/outbox?state=waiting', {
      key: tenant.workspaceKey,
    })
    return body.pagination.total as number
  }
  await until('every email is sent', async () => (await waiting()) === 0, {
    everyMs: 200,
    withinMs: 180_000,
  })
  const { copies, ids, links } = linksByAddress()
  t.diagnostic(`${copies} copies of ${ids.size} emails`)
  assert.deepEqual([...ids.values()].toSorted(), emails.toSorted())
  // At most the ten emails that were being sent at each kill have a second copy.
  assert.ok(copies <= testers + 20, `${copies} copies`)
  assert.equal(new Set(links.values()).size, testers)
  await assertPersonalLinks({ groupId, releaseId, links })
})

/** Downloads through some links, removes one member, and compares the report. */
async function assertPersonalLinks(shared: {
  groupId: string
  releaseId: string
  links: ReadonlyMap<string, string>
}) {
  const { groupId, releaseId, links } = shared
  const download = async (email: string) =>
    (await service.call('GET', `${links.get(email)}/download`, { key: null })).status
  const people = ['tester3@example.com', 'tester7@example.com', 'tester499@example.com']
  await concurrently(3, people, async (email) => assert.equal(await download(email), 302))
  const body = { emails: ['tester7@example.com'] }
  await service.call('POST', `/distribution-groups/${groupId}/members/remove`, {
    key: tenant.workspaceKey,
    body,
  })
  assert.deepEqual([await download('tester7@example.com'), await download('tester8@example.com')], [410, 302])
  const path = `/applications/${tenant.applicationId}/downloads?release_id=${releaseId}`
  const report = await service.call('GET', path, { key: tenant.workspaceKey })
  assert.deepEqual(
    report.body.data.map(({ email }: { email: string }) => email).toSorted(),
    [...people, 'tester8@example.com'].toSorted(),
  )
}
