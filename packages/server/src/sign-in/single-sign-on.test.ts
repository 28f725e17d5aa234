import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from '../../test/browser.ts'
import { startIdentityProvider } from '../../test/identity-provider.ts'
import { owner, startSignInService } from '../../test/sign-in.ts'

let provider: Awaited<ReturnType<typeof startIdentityProvider>>
let service: Awaited<ReturnType<typeof startSignInService>>

before(async () => {
  provider = await startIdentityProvider()
  service = await startSignInService({
    ...provider.environment,
    QUAYSIDE_OIDC_ALLOWED_DOMAINS: 'games.example, example.org',
  })
  provider.open(`${service.url}/api/auth/callback/sso`)
})
after(async () => {
  await service.close()
  await provider.close()
})

const profileOf = (person: string, email: string, isVerified = true) =>
  provider.profiles.set(person, { email, email_verified: isVerified, name: `Name of ${person}` })

/** Signs in through the provider and returns the URL to which the browser is sent in the end. */
async function signIn(browser: Browser, person: string): Promise<string> {
  const started = await browser.post('/api/auth/sign-in/social', { provider: 'sso', callbackURL: '/' })
  assert.equal(started.status, 200, started.text)
  const callback = await provider.signIn(started.body.url, person)
  const finished = await browser.get(callback)
  assert.equal(finished.status, 302, finished.text)
  return finished.headers.get('location') ?? ''
}

const membersWith = async (email: string) => {
  const { body } = await service.call('GET', `/workspace/members?search=${encodeURIComponent(email)}`, {
    key: service.workspaceKey,
  })
  return body.data as { email: string; name: string; role: string }[]
}

test('adds a person from an allowed domain as a member', async () => {
  profileOf('ada', 'Ada@games.example')
  const browser = service.browser()
  assert.equal(await signIn(browser, 'ada'), '/')
  assert.equal(await browser.isSignedIn(), true)
  const members = await membersWith('ada@games.example')
  assert.deepEqual(
    members.map(({ name, role }) => [name, role]),
    [['Name of ada', 'member']],
  )
  const again = service.browser()
  assert.equal(await signIn(again, 'ada'), '/')
  assert.equal(await again.isSignedIn(), true)
  const stored = await service.deps.db
    .selectFrom('accounts')
    .select(['access_token', 'refresh_token', 'id_token'])
    .where('provider_id', '=', 'sso')
    .execute()
  assert.deepEqual(stored, [{ access_token: null, refresh_token: null, id_token: null }])
})

test('refuses a person who has not been invited, or whose email address is not verified', async () => {
  profileOf('eve', 'eve@elsewhere.example')
  profileOf('mallory', 'mallory@games.example', false)
  for (const person of ['eve', 'mallory']) {
    const browser = service.browser()
    const location = new URL(await signIn(browser, person))
    assert.deepEqual([location.pathname, location.searchParams.get('error')], ['/sign-in', 'NOT_INVITED'])
    assert.equal(await browser.isSignedIn(), false)
  }
  assert.deepEqual(await membersWith('elsewhere.example'), [])
})

test('accepts the invitation of a person who uses single sign-on', async () => {
  const email = 'invited@elsewhere.example'
  const invited = await service.call('POST', '/workspace/invitations', {
    key: service.workspaceKey,
    body: { email, role: 'member' },
  })
  assert.equal(invited.status, 201, invited.text)
  profileOf('invited', email)
  const browser = service.browser()
  assert.equal(await signIn(browser, 'invited'), '/')
  assert.equal((await membersWith(email)).length, 1)
  const invitations = await service.call('GET', '/workspace/invitations', { key: service.workspaceKey })
  assert.equal(invitations.body.data[0].status, 'accepted')
})

test('links single sign-on to an existing account only if the provider has verified the address', async () => {
  profileOf('impostor', owner.email, false)
  const refused = new URL(await signIn(service.browser(), 'impostor'))
  assert.equal(refused.searchParams.get('error'), 'account_not_linked')
  profileOf('grace', owner.email)
  const browser = service.browser()
  assert.equal(await signIn(browser, 'grace'), '/')
  const session = await browser.get('/api/auth/get-session')
  assert.equal(session.body.user.email, owner.email)
})

test('refuses a callback that another browser started', async () => {
  profileOf('ada', 'ada@games.example')
  const attacker = service.browser()
  const started = await attacker.post('/api/auth/sign-in/social', { callbackURL: '/' })
  const callback = await provider.signIn(started.body.url, 'ada')
  const victim = service.browser()
  const response = await victim.get(callback)
  assert.ok(new URL(response.headers.get('location') ?? '').searchParams.has('error'))
  assert.equal(await victim.isSignedIn(), false)
})

test('does not send people to another site after sign-in', async () => {
  for (const callbackURL of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    const response = await service.browser().post('/api/auth/sign-in/social', { callbackURL })
    assert.equal(response.status, 403, `${callbackURL}: ${response.text}`)
  }
})

test('shows the name of the identity provider on the sign-in page', async () => {
  const { body } = await service.browser().get('/api/auth/methods')
  assert.deepEqual(body.sso, { name: 'Example ID' })
})

test('connects to no private address that is not allowed, and keeps other methods available', async () => {
  const guarded = await startSignInService({
    ...provider.environment,
    QUAYSIDE_ISSUER_ALLOW_PRIVATE: '',
  })
  try {
    const response = await guarded.browser().post('/api/auth/sign-in/social', { callbackURL: '/' })
    assert.deepEqual([response.status, response.body.code], [403, 'oidc.issuer_unusable'])
    assert.equal((await guarded.browser().signIn(owner.email, owner.password)).status, 200)
  } finally {
    await guarded.close()
  }
})
