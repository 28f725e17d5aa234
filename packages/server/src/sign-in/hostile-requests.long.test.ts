import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from '../../test/browser.ts'
import { sharedSignInService } from '../../test/sign-in.ts'
import { authEndpoints } from './auth-endpoints.ts'

const password = 'correct horse battery'
const passkey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {}, response: {} }

/** A plausible value for each field that better-auth reads. */
const fields: Readonly<Record<string, unknown>> = {
  additionalData: {},
  callbackURL: '/',
  code: '000000',
  createSession: true,
  currentPassword: 'incorrect password',
  disableSession: true,
  email: 'hostile-nobody@example.com',
  error: 'x',
  errorCallbackURL: '/',
  id: '01a20a98-def9-7000-9b6e-ea236c88e164',
  idToken: { token: 'x' },
  iss: 'x',
  loginHint: 'x',
  metadata: {},
  name: 'Laptop',
  newPassword: 'incorrect password',
  newUserCallbackURL: '/',
  password: 'incorrect password',
  redirectTo: '/',
  rememberMe: true,
  response: passkey,
  scopes: [],
  state: 'x',
  token: 'x',
  trustDevice: true,
  user: '{}',
}

/** The fields of each endpoint that are replaced one at a time. In one more request, all fields are replaced. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  '/sign-in/email': ['email', 'password', 'callbackURL', 'rememberMe'],
  '/sign-in/magic-link': ['email', 'name', 'callbackURL', 'errorCallbackURL', 'metadata'],
  '/sign-in/link': ['token'],
  '/sign-in/social': ['callbackURL', 'errorCallbackURL', 'idToken', 'loginHint', 'scopes', 'additionalData'],
  '/callback/sso': ['state', 'code', 'error', 'iss', 'user'],
  '/request-password-reset': ['email', 'redirectTo'],
  '/reset-password': ['token', 'newPassword'],
  '/change-password': ['currentPassword', 'newPassword'],
  '/two-factor/enable': ['password', 'issuer'],
  '/two-factor/disable': ['password'],
  '/two-factor/generate-backup-codes': ['password'],
  '/two-factor/verify-totp': ['code', 'trustDevice'],
  '/two-factor/verify-backup-code': ['code', 'disableSession', 'trustDevice'],
  '/passkey/verify-registration': ['response', 'name', 'createSession'],
  '/passkey/verify-authentication': ['response'],
  '/passkey/update-passkey': ['id', 'name'],
  '/passkey/delete-passkey': ['id'],
}

const hostile: readonly unknown[] = [
  '\0',
  'a\0b',
  '\ud800',
  'x'.repeat(20_000),
  '',
  ' ',
  'not a UUID',
  '../../x',
  'http://[',
  '__proto__',
  '\u202e\r\nX: y',
  7,
  -1e308,
  true,
  null,
  [],
  ['x', '\0'],
  {},
  { id: '\0', response: { clientDataJSON: '\0', attestationObject: [], userHandle: '\0' } },
  { ...passkey, id: '\0', response: { clientDataJSON: 7, authenticatorData: '\0', signature: {} } },
]

let service: Awaited<ReturnType<typeof sharedSignInService>>
let person: Browser

before(async () => {
  service = await sharedSignInService()
  person = await service.createPerson('hostile@example.com', password)
})

/** Sends a request and asserts that its response is no internal error. */
async function send(browser: Browser, method: string, path: string, body: Record<string, unknown>) {
  // Limits on guessing would hide what follows.
  if (body['password'] !== undefined) await service.deps.db.deleteFrom('sign_in_guesses').execute()
  const query = new URLSearchParams(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
      ]),
    ),
  )
  const response =
    method === 'GET'
      ? await browser.get(`/api/auth${path}?${query.toString().slice(0, 8000)}`)
      : await browser.post(`/api/auth${path}`, body)
  const sent = JSON.stringify(body).slice(0, 300)
  assert.ok(
    response.status < 500,
    `${method} ${path} ${sent}: ${response.status} ${response.text.slice(0, 300)}`,
  )
}

// Signing out comes last, because it ends the session that the other requests need.
const endpoints = [...authEndpoints, { method: 'POST', path: '/sign-in/link' }].toSorted(
  (a, b) => Number(a.path === '/sign-out') - Number(b.path === '/sign-out'),
)

for (const { method, path } of endpoints)
  test(`gives no internal error for hostile values (${method} ${path})`, async () => {
    const anonymous = service.browser()
    const needsSession = /^\/(change-password|passkey|two-factor)/.test(path)
    for (const value of hostile) {
      const everywhere = Object.fromEntries(Object.keys(fields).map((name) => [name, value]))
      await send(anonymous, method, path, everywhere)
      await send(person, method, path, everywhere)
      for (const name of fieldsOf[path] ?? [])
        await send(needsSession ? person : anonymous, method, path, { ...fields, [name]: value })
    }
  })

test('gives no internal error for hostile paths and cookies', async () => {
  const again = service.browser()
  await again.signIn('hostile@example.com', password)
  const paths = [
    '/sessions/%00',
    '/sessions/%ff',
    '/sessions/x',
    `/sessions/${'x'.repeat(3000)}`,
    '/methods?x=%00',
  ]
  for (const path of paths) {
    const response = await again.request('DELETE', `/api/auth${path}`)
    assert.ok(response.status < 500, `${path}: ${response.text}`)
  }
  for (const cookie of [
    'quayside.session_token=%00',
    'quayside.session_token=a.b',
    'quayside.two_factor=%00',
    '%00=%00',
    '=;;=',
  ])
    for (const path of [
      '/get-session',
      '/sessions',
      '/passkey/list-user-passkeys',
      '/callback/sso?state=x&code=x',
    ]) {
      const response = await service.browser().get(`/api/auth${path}`, { headers: { cookie } })
      assert.ok(response.status < 500, `${cookie} ${path}: ${response.text}`)
    }
})

test('refuses IDs of passkeys that are not IDs', async () => {
  const again = service.browser()
  await again.signIn('hostile@example.com', password)
  for (const path of ['/passkey/delete-passkey', '/passkey/update-passkey'])
    for (const id of ['not a UUID', '\0', '\ud800']) {
      const response = await again.post(`/api/auth${path}`, { id, name: 'Laptop' })
      assert.ok([400, 422].includes(response.status), `${path}: ${response.text}`)
      assert.match(response.body.code, /^(sign_in\.invalid_value|request\.invalid)/)
      assert.deepEqual(Object.keys(response.body.errors ?? { id: [] }), ['id'])
    }
})
