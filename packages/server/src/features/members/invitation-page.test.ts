import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser } from '../../../test/browser.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'

const password = 'correct horse battery'
let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

async function invite(email: string, { key = tenant.workspaceKey, role = 'member' } = {}): Promise<string> {
  const { status, body, text } = await service.call('POST', '/workspace/invitations', {
    key,
    body: { email, role },
  })
  assert.equal(status, 201, text)
  return body.data.token
}

const get = (token: string) => service.call('GET', `/invitations/${token}`, { key: null })

const isVerified = async (email: string) => {
  const user = await service.deps.db
    .selectFrom('users')
    .select('email_verified')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return user.email_verified
}

test('shows an open invitation to a person who knows the token', async () => {
  const token = await invite('page@example.com')
  const { status, body } = await get(token)
  assert.equal(status, 200)
  assert.ok(Date.parse(body.data.expires_at) > Date.now())
  assert.deepEqual(body.data, {
    expires_at: body.data.expires_at,
    workspace_name: `Workspace ${tenant.workspaceId}`,
    application_name: null,
    applications: [],
    teams: [],
    inviter_name: null,
    email: 'page@example.com',
    role: 'member',
    has_account: false,
  })
  assert.equal((await get(`${token}x`)).status, 404)
})

test('signs in a new person who accepts with a password, but does not verify the email address', async () => {
  const email = 'new@example.com'
  const token = await invite(email)
  const browser = createBrowser(service.url)
  const short = await browser.post(`/api/v1/invitations/${token}/accept`, { name: 'Ada', password: 'short' })
  assert.equal(short.status, 422)
  const accepted = await browser.post(`/api/v1/invitations/${token}/accept`, { name: 'Ada', password })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal(await browser.isSignedIn(), true)
  assert.equal(await isVerified(email), false)
  assert.equal((await createBrowser(service.url).signIn(email, password)).status, 200)
  const gone = await get(token)
  assert.deepEqual([gone.status, gone.body.code], [410, 'invitation.gone'])
  const again = await createBrowser(service.url).post(`/api/v1/invitations/${token}/accept`, {
    name: 'Eve',
    password,
  })
  assert.equal(again.status, 410)
})

test('does not replace the password of a person who has an account', async () => {
  const email = 'existing@example.com'
  const first = await invite(email)
  await createBrowser(service.url).post(`/api/v1/invitations/${first}/accept`, { name: 'Ada', password })
  const other = await service.tenant()
  const second = await invite(email, { key: other.workspaceKey })
  assert.equal((await get(second)).body.data.has_account, true)
  const attacker = createBrowser(service.url)
  const refused = await attacker.post(`/api/v1/invitations/${second}/accept`, {
    name: 'Eve',
    password: 'password of the attacker',
  })
  assert.deepEqual([refused.status, refused.body.code], [409, 'invitation.account_exists'])
  assert.equal(await attacker.isSignedIn(), false)
  assert.equal((await createBrowser(service.url).signIn(email, password)).status, 200)
  const accepted = await attacker.post(`/api/v1/invitations/${second}/accept`, { name: 'Ada' })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal(await attacker.isSignedIn(), false)
})

test('does not give access to a member of another workspace who has no password yet', async () => {
  const email = 'elsewhere@example.com'
  const first = await invite(email)
  await service.call('POST', `/invitations/${first}/accept`, { key: null, body: { name: 'Ada' } })
  const other = await service.tenant()
  const second = await invite(email, { key: other.workspaceKey })
  const attacker = createBrowser(service.url)
  const refused = await attacker.post(`/api/v1/invitations/${second}/accept`, { name: 'Eve', password })
  assert.deepEqual([refused.status, refused.body.code], [409, 'invitation.account_exists'])
  assert.equal(await attacker.isSignedIn(), false)
})

test('stores no link to an account in the outbox of a server without a mail server', async () => {
  const email = 'no-mail@example.com'
  const token = await invite(email)
  const browser = createBrowser(service.url)
  await browser.post(`/api/v1/invitations/${token}/accept`, { name: 'Ada', password })
  const { body: methods } = await browser.get('/api/auth/methods')
  assert.deepEqual([methods.email_link, methods.password_reset], [false, false])
  for (const path of ['/api/auth/request-password-reset', '/api/auth/sign-in/magic-link'])
    assert.equal((await createBrowser(service.url).post(path, { email })).status, 200)
  const outbox = await service.call('GET', '/workspace/outbox?per_page=100', { key: tenant.workspaceKey })
  const subjects = outbox.body.data
    .filter(({ recipient }: { recipient: string }) => recipient === email)
    .map(({ subject }: { subject: string }) => subject)
  assert.equal(subjects.length, 1)
  assert.match(subjects[0], /^Invitation to /)
})
