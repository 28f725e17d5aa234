import assert from 'node:assert/strict'
import { createBrowser, type Browser } from './browser.ts'
import { startOwnService } from './harness.ts'
import { readMail, startSmtpServer, type Delivery } from './smtp-server.ts'
import { until } from './until.ts'

export const owner = { name: 'Grace Hopper', email: 'grace@example.com', password: 'correct horse battery' }

/** Starts a service with an SMTP server behind a trusted proxy, and sets it up by the link that it prints. */
export async function startSignInService(environment: Record<string, string> = {}) {
  const smtp = await startSmtpServer()
  const service = await startOwnService({
    environment: {
      QUAYSIDE_BOOTSTRAP_KEY: '',
      QUAYSIDE_SMTP_URL: smtp.url,
      QUAYSIDE_TRUSTED_PROXIES: '127.0.0.0/8',
      ...environment,
    },
  })
  const token = new URL(service.setupUrl ?? '').searchParams.get('token')
  const browser = (address?: string): Browser =>
    createBrowser(service.url, address === undefined ? {} : { address })
  const ownerBrowser = browser()
  const { email, name, password } = owner
  const setUp = await ownerBrowser.post('/api/v1/setup', {
    setup_token: token,
    workspace_name: 'Example Games',
    name,
    email,
    password,
  })
  assert.equal(setUp.status, 201, setUp.text)
  const { workspace_id: workspaceId } = await service.deps.db
    .selectFrom('workspace_members')
    .select('workspace_id')
    .executeTakeFirstOrThrow()
  const key = await service.key(workspaceId, null, ['members:write', 'workspace:read'])

  const linkTo = (address: string, pattern?: RegExp) => emailedLink(smtp, address, pattern)

  /** Invites a person, who accepts with a password and is then signed in. */
  async function createPerson(address: string, secret: string): Promise<Browser> {
    const invited = await service.call('POST', '/workspace/invitations', {
      key,
      body: { email: address, role: 'member' },
    })
    assert.equal(invited.status, 201, invited.text)
    const { pathname } = await linkTo(address, /http\S+\/invitations\/\S+/)
    const person = browser()
    const accepted = await person.post(`/api/v1${pathname}/accept`, { name: 'Ada', password: secret })
    assert.equal(accepted.status, 200, accepted.text)
    return person
  }

  return {
    ...service,
    smtp,
    setUp,
    setupToken: token,
    workspaceId,
    workspaceKey: key,
    browser,
    ownerBrowser,
    linkTo,
    createPerson,
    async close() {
      await service.close().finally(smtp.close)
    },
  }
}

let shared: ReturnType<typeof startSignInService> | undefined

/**
 * Returns a service that the test files of this process share, and that is stopped after the last test. Each file uses
 * email addresses and networks of its own.
 */
export function sharedSignInService(): ReturnType<typeof startSignInService> {
  shared ??= startSignInService()
  return shared
}
// In a shared process, `after` would run when the tests of the first file have ended.
process.getBuiltinModule('node:test').after(async () => (await shared)?.close())

/** Returns the link in the most recent email to this address, once it has arrived. */
export async function emailedLink(
  { deliveries }: { deliveries: readonly Delivery[] },
  address: string,
  pattern = /http\S+/,
): Promise<URL> {
  const find = () =>
    deliveries.findLast((delivery) => delivery.to.includes(address) && pattern.test(readMail(delivery).text))
  const [link = ''] = pattern.exec(readMail(await until(`an email to ${address}`, find)).text) ?? []
  return new URL(link)
}
