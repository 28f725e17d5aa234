import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createAuthenticator } from '../../test/authenticator.ts'
import type { Browser } from '../../test/browser.ts'
import { sharedSignInService } from '../../test/sign-in.ts'
import { totpCode } from '../../test/totp.ts'

type Authenticator = ReturnType<typeof createAuthenticator>

const password = 'correct horse battery'
let service: Awaited<ReturnType<typeof sharedSignInService>>

before(async () => {
  service = await sharedSignInService()
})

/** Creates a person with an authenticator app. */
async function createPersonWithApp(email: string) {
  const person = await service.createPerson(email, password)
  const enabled = await person.post('/api/auth/two-factor/enable', { password })
  assert.equal(enabled.status, 200, enabled.text)
  const { totpURI: uri, backupCodes } = enabled.body
  const confirmed = await person.post('/api/auth/two-factor/verify-totp', { code: totpCode(uri) })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { person, uri: uri as string, backupCodes: backupCodes as string[] }
}

/** Enters the password in a new browser, which starts no session yet. */
async function enterPassword(email: string): Promise<Browser> {
  const browser = service.browser()
  const response = await browser.signIn(email, password)
  assert.deepEqual([response.status, response.body.twoFactorRedirect], [200, true], response.text)
  assert.equal(await browser.isSignedIn(), false)
  return browser
}

async function addPasskey(person: Browser, authenticator: Authenticator, isUserVerified = true) {
  const options = await person.get('/api/auth/passkey/generate-register-options')
  assert.equal(options.status, 200, options.text)
  return person.post('/api/auth/passkey/verify-registration', {
    response: authenticator.register(options.body, isUserVerified),
    name: 'Laptop',
  })
}

async function signInWithPasskey(browser: Browser, authenticator: Authenticator, isUserVerified = true) {
  const options = await browser.get('/api/auth/passkey/generate-authenticate-options')
  assert.equal(options.status, 200, options.text)
  return browser.post('/api/auth/passkey/verify-authentication', {
    response: authenticator.authenticate(options.body, isUserVerified),
  })
}

test('requires the code of the authenticator app after the password', async () => {
  const email = 'totp@example.com'
  const { uri } = await createPersonWithApp(email)
  const browser = await enterPassword(email)
  const wrong = await browser.post('/api/auth/two-factor/verify-totp', { code: '000000' })
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'sign_in.incorrect_code'])
  const right = await browser.post('/api/auth/two-factor/verify-totp', { code: totpCode(uri, 1) })
  assert.equal(right.status, 200, right.text)
  assert.equal(await browser.isSignedIn(), true)
})

test('accepts each recovery code once', async () => {
  const email = 'recovery@example.com'
  const { backupCodes } = await createPersonWithApp(email)
  const [code] = backupCodes
  assert.equal(backupCodes.length, 10)
  const first = await enterPassword(email)
  const accepted = await first.post('/api/auth/two-factor/verify-backup-code', { code })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal(await first.isSignedIn(), true)
  const second = await enterPassword(email)
  const refused = await second.post('/api/auth/two-factor/verify-backup-code', { code })
  assert.deepEqual([refused.status, refused.body.code], [403, 'sign_in.incorrect_code'])
  const stored = await service.deps.db.selectFrom('two_factors').select('backup_codes').execute()
  assert.ok(stored.every(({ backup_codes }) => !backupCodes.some((each) => backup_codes.includes(each))))
})

test('refuses codes after ten incorrect ones', async () => {
  const email = 'codes@example.com'
  const { uri } = await createPersonWithApp(email)
  for (let round = 0; round < 2; round++) {
    const browser = await enterPassword(email)
    for (let count = 0; count < 5; count++)
      await browser.post('/api/auth/two-factor/verify-totp', { code: '000000' })
  }
  const browser = await enterPassword(email)
  const response = await browser.post('/api/auth/two-factor/verify-totp', { code: totpCode(uri, 1) })
  assert.deepEqual([response.status, response.body.code], [429, 'sign_in.too_many_codes'])
  assert.equal(await browser.isSignedIn(), false)
})

test('does not send a sign-in link to a person with a second factor', async () => {
  const email = 'no-link@example.com'
  await createPersonWithApp(email)
  await service.browser().post('/api/auth/sign-in/magic-link', { email })
  const link = await service.linkTo(email, /http\S+(?=\. Your account requires a second factor)/)
  assert.equal(link.search, '')
})

test('signs in with a passkey without a password', async () => {
  const person = await service.createPerson('passkey@example.com', password)
  const authenticator = createAuthenticator({ origin: service.url })
  const added = await addPasskey(person, authenticator)
  assert.equal(added.status, 200, added.text)
  const browser = service.browser()
  const signedIn = await signInWithPasskey(browser, authenticator)
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.equal(signedIn.body.user.email, 'passkey@example.com')
  assert.equal(signedIn.body.session.token, undefined)
  assert.equal(await browser.isSignedIn(), true)
  const listed = await person.get('/api/auth/passkey/list-user-passkeys')
  assert.deepEqual(
    listed.body.map(({ name }: { name: string }) => name),
    ['Laptop'],
  )
  const { id } = listed.body[0]
  assert.equal((await person.post('/api/auth/passkey/delete-passkey', { id })).status, 200)
  const refused = await signInWithPasskey(service.browser(), authenticator)
  assert.deepEqual([refused.status, refused.body.code], [403, 'sign_in.passkey_refused'])
})

test('refuses a passkey of another site, another key or a user who was not verified', async () => {
  const person = await service.createPerson('passkeys@example.com', password)
  const foreign = await addPasskey(person, createAuthenticator({ origin: 'https://evil.example' }))
  assert.ok(foreign.status >= 400, foreign.text)
  const authenticator = createAuthenticator({ origin: service.url })
  const unlocked = await addPasskey(person, authenticator, false)
  assert.deepEqual([unlocked.status, unlocked.body.code], [403, 'sign_in.passkey_refused'])
  assert.equal((await addPasskey(person, authenticator)).status, 200)
  const unverified = await signInWithPasskey(service.browser(), authenticator, false)
  assert.deepEqual([unverified.status, unverified.body.code], [403, 'sign_in.passkey_refused'])
  const unknown = await signInWithPasskey(service.browser(), createAuthenticator({ origin: service.url }))
  assert.deepEqual([unknown.status, unknown.body.code], [403, 'sign_in.passkey_refused'])
})
