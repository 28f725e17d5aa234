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

test('accepts each code of an authenticator app once', async () => {
  const email = 'replay@example.com'
  const { person, uri } = await createPersonWithApp(email)
  const confirmed = totpCode(uri)
  const next = totpCode(uri, 1)
  const browsers = await Promise.all(Array.from({ length: 4 }, () => enterPassword(email)))
  const [first] = browsers
  assert.ok(first)
  const replayed = await first.post('/api/auth/two-factor/verify-totp', { code: confirmed })
  assert.deepEqual([replayed.status, replayed.body.code], [403, 'sign_in.incorrect_code'])
  const responses = await Promise.all(
    browsers.map((browser) => browser.post('/api/auth/two-factor/verify-totp', { code: next })),
  )
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 403, 403, 403],
  )
  const signedIn = await Promise.all(browsers.map((browser) => browser.isSignedIn()))
  assert.equal(signedIn.filter(Boolean).length, 1)
  assert.equal(await person.isSignedIn(), true)
  for (const code of [confirmed, next]) {
    const again = await (await enterPassword(email)).post('/api/auth/two-factor/verify-totp', { code })
    assert.deepEqual([again.status, again.body.code], [403, 'sign_in.incorrect_code'])
  }
})

test('accepts a recovery code once when several browsers send it', async () => {
  const email = 'recovery-race@example.com'
  const { backupCodes } = await createPersonWithApp(email)
  const [code] = backupCodes
  const browsers = await Promise.all(Array.from({ length: 4 }, () => enterPassword(email)))
  await Promise.all(
    browsers.map((browser) => browser.post('/api/auth/two-factor/verify-backup-code', { code })),
  )
  const signedIn = await Promise.all(browsers.map((browser) => browser.isSignedIn()))
  assert.equal(signedIn.filter(Boolean).length, 1)
})

test('asks for a code again on every device after a change of credentials', async () => {
  const email = 'trusted@example.com'
  const newPassword = 'a longer new password'
  const { person, uri, backupCodes } = await createPersonWithApp(email)
  let codes = backupCodes.values()
  let current = password

  /** Signs in on a device that needs no more codes, and returns it. */
  async function createTrustedDevice(): Promise<Browser> {
    const browser = service.browser()
    await browser.signIn(email, current)
    const code = codes.next().value
    const entered = await browser.post('/api/auth/two-factor/verify-backup-code', { code, trustDevice: true })
    assert.equal(entered.status, 200, entered.text)
    const again = await browser.signIn(email, current)
    assert.deepEqual([again.status, again.body.twoFactorRedirect], [200, undefined], again.text)
    return browser
  }
  const changes: Record<string, (device: Browser) => Promise<{ status: number; text: string }>> = {
    'ending other sessions': () => person.post('/api/auth/sessions/revoke-others'),
    'ending one session': async () => {
      const { body } = await person.get('/api/auth/sessions')
      const [newest] = body.data as { id: string; is_current: boolean }[]
      assert.equal(newest?.is_current, false)
      return person.request('DELETE', `/api/auth/sessions/${newest?.id}`)
    },
    'adding a passkey': () => addPasskey(person, createAuthenticator({ origin: service.url })),
    'deleting a passkey': async () => {
      const { body } = await person.get('/api/auth/passkey/list-user-passkeys')
      return person.post('/api/auth/passkey/delete-passkey', { id: body[0].id })
    },
    'creating recovery codes': async () => {
      const created = await person.post('/api/auth/two-factor/generate-backup-codes', { password })
      codes = (created.body.backupCodes as string[]).values()
      return created
    },
    'changing the password': async () => {
      current = newPassword
      return person.post('/api/auth/change-password', { currentPassword: password, newPassword })
    },
  }
  const other = await createPersonWithApp('trusted-other@example.com')
  for (const [name, change] of Object.entries(changes)) {
    const device = await createTrustedDevice()
    const waiting = service.browser()
    await waiting.signIn(email, current)
    const response = await change(device)
    assert.equal(response.status, 200, `${name}: ${response.text}`)
    const signedIn = await device.signIn(email, current)
    assert.deepEqual([signedIn.status, signedIn.body.twoFactorRedirect], [200, true], name)
    const code = totpCode(uri, 1)
    const entered = await waiting.post('/api/auth/two-factor/verify-totp', { code })
    assert.equal(entered.body.code, 'sign_in.second_factor_expired', name)
  }
  assert.equal(await other.person.isSignedIn(), true)
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
