import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from '../../test/browser.ts'
import { startIdentityProvider } from '../../test/identity-provider.ts'
import { createIssuerKey, jwt } from '../../test/oidc-issuer.ts'
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

type Token = { claims?: object; header?: object; key?: ReturnType<typeof createIssuerKey> | null }

/** Signs in with an ID token of the test's choice. Returns the URL to which the browser is sent. */
async function signInWithToken(browser: Browser, { claims = {}, header = {}, key = provider.key }: Token) {
  const started = await browser.post('/api/auth/sign-in/social', { callbackURL: '/' })
  const { searchParams } = new URL(started.body.url)
  const seconds = Math.floor(Date.now() / 1000)
  const valid = {
    iss: provider.issuer,
    aud: provider.client.client_id,
    iat: seconds,
    exp: seconds + 300,
    nonce: searchParams.get('nonce'),
    sub: 'mallory',
    email: 'mallory@games.example',
    email_verified: true,
  }
  const idToken = jwt({ alg: 'RS256', kid: provider.key.kid, ...header }, { ...valid, ...claims }, key)
  provider.responses['/token'] = (_request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ token_type: 'Bearer', access_token: 'x', id_token: idToken }))
  try {
    return await finish(browser, searchParams.get('state') ?? '')
  } finally {
    delete provider.responses['/token']
  }
}

async function finish(browser: Browser, state: string): Promise<URL> {
  const response = await browser.get(
    `/api/auth/callback/sso?${new URLSearchParams({ code: 'x', state }).toString()}`,
  )
  assert.equal(response.status, 302, response.text)
  return new URL(response.headers.get('location') ?? '', service.url)
}

const listSsoAccounts = async () => {
  const rows = await service.deps.db
    .selectFrom('accounts')
    .select('account_id')
    .where('provider_id', '=', 'sso')
    .execute()
  return rows.map(({ account_id }) => account_id)
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

test('accepts only ID tokens that identify a person by a string, for this client and this sign-in', async () => {
  const accounts = await listSsoAccounts()
  const seconds = Math.floor(Date.now() / 1000)
  const secret = { kid: 'first', algorithm: 'RS256' as const, jwk: {} }
  const forgeries: Record<string, Token> = {
    'another key': { key: createIssuerKey('first') },
    'an unknown key': { header: { kid: 'second' } },
    'no signature': { header: { alg: 'none' }, key: null },
    'an algorithm that is not allowed': {
      header: { alg: 'RS384' },
      key: { ...provider.key, ...secret, algorithm: 'RS384' },
    },
    'another issuer': { claims: { iss: 'https://evil.example' } },
    'another audience': { claims: { aud: 'other' } },
    'another authorized party': { claims: { azp: 'other' } },
    'several audiences': { claims: { aud: [provider.client.client_id, 'other'] } },
    'another nonce': { claims: { nonce: 'other' } },
    'no nonce': { claims: { nonce: undefined } },
    'a past expiry': { claims: { exp: seconds - 3600 } },
    'a future issue time': { claims: { iat: seconds + 3600 } },
    'a number as subject': { claims: { sub: 7 } },
    'an empty subject': { claims: { sub: '' } },
    'a blank subject': { claims: { sub: ' ' } },
    'an object as subject': { claims: { sub: {} } },
    'a list as subject': { claims: { sub: ['mallory'] } },
    'no subject': { claims: { sub: undefined } },
    'null as subject': { claims: { sub: null } },
    'a control character in the subject': { claims: { sub: 'mallory\0' } },
    'half of a surrogate pair in the subject': { claims: { sub: 'mallory\ud800' } },
    'a long subject': { claims: { sub: 'm'.repeat(256) } },
  }
  for (const [name, token] of Object.entries(forgeries)) {
    const browser = service.browser()
    const location = await signInWithToken(browser, token)
    assert.deepEqual(
      [location.pathname, location.searchParams.get('error')],
      ['/sign-in', 'unable_to_get_user_info'],
      name,
    )
    assert.equal(await browser.isSignedIn(), false, name)
  }
  assert.deepEqual(await listSsoAccounts(), accounts)
  const browser = service.browser()
  const location = await signInWithToken(browser, {
    claims: { sub: 'valid', email: 'valid@games.example', azp: provider.client.client_id },
  })
  assert.equal(location.pathname, '/')
  assert.equal(await browser.isSignedIn(), true)
})

test('accepts only a single email address', async () => {
  const emails = [
    'x@evil.test,y@games.example',
    'x@evil.test, y@games.example',
    'x@evil.test;y@games.example',
    'x@evil.test y@games.example',
    'x@evil.test@games.example',
    'X <x@games.example>',
    '"x@evil.test"@games.example',
    'x@evil.test\r\n@games.example',
    'x\0@games.example',
    '@games.example',
    `${'x'.repeat(300)}@games.example`,
    ['x@games.example'],
  ]
  for (const [index, email] of emails.entries()) {
    const browser = service.browser()
    const location = await signInWithToken(browser, { claims: { sub: `list-${index}`, email } })
    assert.ok(location.searchParams.has('error'), String(email))
    assert.equal(await browser.isSignedIn(), false)
  }
  assert.deepEqual(await membersWith('evil.test'), [])
})

test('sends the browser to the sign-in page when the identity provider fails', async () => {
  const failures: Record<string, () => void> = {
    'an error of the token endpoint': () => {
      provider.responses['/token'] = (_request, response) => response.writeHead(500).end('{}')
    },
    'a response that is not JSON': () => {
      provider.responses['/token'] = (_request, response) => response.end('<html>')
    },
    'a closed connection': () => {
      provider.responses['/token'] = (request) => request.socket.destroy()
    },
  }
  for (const [name, prepare] of Object.entries(failures)) {
    const browser = service.browser()
    const started = await browser.post('/api/auth/sign-in/social', { callbackURL: '/' })
    prepare()
    const location = await finish(browser, new URL(started.body.url).searchParams.get('state') ?? '')
    delete provider.responses['/token']
    assert.equal(`${location.pathname}${location.search}`, '/sign-in?error=invalid_code', name)
  }
  for (const query of [
    '',
    '?state=x',
    '?state=x&code=y',
    '?code=x',
    '?error=access_denied',
    '?state=%00&code=x',
  ]) {
    const response = await service.browser().get(`/api/auth/callback/sso${query}`)
    assert.equal(response.status, 302, `${query}: ${response.text}`)
    const location = new URL(response.headers.get('location') ?? '')
    assert.equal(location.origin + location.pathname, `${service.url}/sign-in`)
    assert.ok(location.searchParams.has('error'), query)
  }
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
  const location = new URL(response.headers.get('location') ?? '')
  assert.equal(`${location.pathname}${location.search}`, '/sign-in?error=state_mismatch')
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
