import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBrowser } from '../../test/browser.ts'
import { startOwnService } from '../../test/harness.ts'
import { totpCode } from '../../test/totp.ts'

const [first, second] = ['first-master-secret-0123456789-abcdef', 'second-master-secret-0123456789-abcde']
const owner = { email: 'grace@example.com', password: 'correct horse battery' }

test('keeps the first owner, sessions and second factors when the master secret changes', async () => {
  const environment = {
    QUAYSIDE_BOOTSTRAP_KEY: '',
    QUAYSIDE_ADMIN_EMAIL: owner.email,
    QUAYSIDE_ADMIN_PASSWORD: owner.password,
  }
  const start = (settings: Record<string, string>, state?: typeof before.state) =>
    startOwnService({ environment: { ...environment, ...settings }, ...(state && { state }) })
  const before = await startOwnService({ environment: { ...environment, QUAYSIDE_SECRET: first } })
  const { state } = before
  const browser = createBrowser(before.url)
  await browser.signIn(owner.email, owner.password)
  const enabled = await browser.post('/api/auth/two-factor/enable', { password: owner.password })
  const { totpURI: uri, backupCodes } = enabled.body
  assert.equal((await browser.post('/api/auth/two-factor/verify-totp', { code: totpCode(uri) })).status, 200)
  await before.stop()

  const during = await start(
    { QUAYSIDE_SECRET: second, QUAYSIDE_SECRET_PREVIOUS: first, QUAYSIDE_ADMIN_PASSWORD: 'another password' },
    state,
  )
  const other = createBrowser(during.url)
  assert.equal((await other.signIn(owner.email, 'another password')).status, 401)
  const moved = createBrowser(during.url)
  for (const [name, cookie] of browser.cookies) moved.cookies.set(name, cookie)
  assert.equal((await moved.get('/api/auth/get-session')).body.user.email, owner.email)
  await during.stop()

  const later = await start({ QUAYSIDE_SECRET: second }, state)
  const stranger = createBrowser(later.url)
  for (const [name, cookie] of browser.cookies) stranger.cookies.set(name, cookie)
  assert.equal(await stranger.isSignedIn(), false)
  const again = createBrowser(later.url)
  assert.equal((await again.signIn(owner.email, owner.password)).body.twoFactorRedirect, true)
  const code = totpCode(uri, 1)
  assert.equal((await again.post('/api/auth/two-factor/verify-totp', { code })).status, 200)
  const recovered = createBrowser(later.url)
  await recovered.signIn(owner.email, owner.password)
  const response = await recovered.post('/api/auth/two-factor/verify-backup-code', { code: backupCodes[0] })
  assert.equal(response.status, 200, response.text)
  await later.stop()

  const lost = await start({ QUAYSIDE_SECRET: first, QUAYSIDE_SECRET_PREVIOUS: 'lost' }, state)
  const withoutFactor = createBrowser(lost.url)
  assert.equal((await withoutFactor.signIn(owner.email, owner.password)).status, 200)
  assert.equal(await withoutFactor.isSignedIn(), true)
  await lost.close()
})
