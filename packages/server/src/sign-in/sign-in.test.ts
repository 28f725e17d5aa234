import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { owner, sharedSignInService } from '../../test/sign-in.ts'
import { until } from '../../test/until.ts'
import { deleteSomeOldGuesses } from './guess.db.ts'
import { deleteSomeExpiredSessions, deleteSomeExpiredVerifications } from './session.db.ts'

let service: Awaited<ReturnType<typeof sharedSignInService>>

before(async () => {
  service = await sharedSignInService()
})

const sessionCookieOf = ({ cookies }: ReturnType<typeof service.browser>) =>
  cookies.get('quayside.session_token')

test('signs the owner in after set-up and ends the set-up link', async () => {
  assert.equal(service.setUp.body.data.role, 'owner')
  assert.equal(await service.ownerBrowser.isSignedIn(), true)
  assert.match(sessionCookieOf(service.ownerBrowser)?.attributes ?? '', /; HttpOnly; SameSite=Lax$/)
  const link = { setup_token: service.setupToken }
  assert.deepEqual((await service.browser().post('/api/auth/setup-link', link)).body, { is_valid: false })
  const again = await service.browser().post('/api/v1/setup', {
    setup_token: service.setupToken,
    workspace_name: 'Other',
    name: 'Eve',
    email: 'eve@example.com',
    password: 'correct horse battery',
  })
  assert.deepEqual([again.status, again.body.code], [410, 'setup.link_gone'])
  const workspace = await service.call('GET', '/workspace', { key: service.workspaceKey })
  assert.equal(workspace.body.data.name, 'Example Games')
})

test('signs in with a password and keeps the session token out of responses', async () => {
  const browser = service.browser()
  const response = await browser.signIn(owner.email.toUpperCase(), owner.password)
  assert.equal(response.status, 200, response.text)
  const token = decodeURIComponent(sessionCookieOf(browser)?.value ?? '').split('.')[0] ?? ''
  assert.ok(token.length >= 32)
  const session = await browser.get('/api/auth/get-session')
  assert.equal(session.body.user.email, owner.email)
  for (const { text } of [response, session, await browser.get('/api/auth/sessions')])
    assert.ok(!text.includes(token), text)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.ok(response.headers.has('x-request-id'))
  assert.equal((await browser.post('/api/auth/sign-out')).status, 200)
  assert.equal(await browser.isSignedIn(), false)
})

test('gives the same response for an unknown email address and an incorrect password', async () => {
  const known = await service.browser().signIn(owner.email, 'incorrect password')
  const unknown = await service.browser().signIn('nobody@example.com', 'incorrect password')
  for (const { status, body } of [known, unknown])
    assert.deepEqual(
      [status, body.code, body.message],
      [401, 'sign_in.incorrect_password', 'The email address or the password is incorrect.'],
    )
})

test('does not offer sign-up or other endpoints of better-auth', async () => {
  const body = { email: 'eve@example.com', password: 'correct horse battery', name: 'Eve' }
  for (const path of ['/sign-up/email', '/delete-user', '/verify-password', '/magic-link/verify?token=x'])
    assert.equal((await service.browser().post(`/api/auth${path}`, body)).status, 404, path)
})

test('refuses a write from another site', async () => {
  const headers = { origin: 'https://evil.example' }
  const response = await service.ownerBrowser.post('/api/auth/sign-out', {}, { headers })
  assert.deepEqual([response.status, response.body.code], [403, 'session.cross_origin'])
  assert.equal(await service.ownerBrowser.isSignedIn(), true)
  const stranger = await service.browser().post('/api/auth/sign-in/email', owner, { headers })
  assert.equal(stranger.body.code, 'session.cross_origin')
})

test('lists sessions, and ends one or all others', async () => {
  const [first, second, third] = [service.browser(), service.browser(), service.browser('203.0.113.9')]
  for (const browser of [first, second, third]) await browser.signIn(owner.email, owner.password)
  const { data } = (await first.get('/api/auth/sessions')).body
  const current = data.filter((session: { is_current: boolean }) => session.is_current)
  assert.equal(current.length, 1)
  const thirdSession = data.find((session: { ip_address: string }) => session.ip_address === '203.0.113.9')
  assert.equal((await first.request('DELETE', `/api/auth/sessions/${thirdSession.id}`)).status, 200)
  assert.deepEqual(
    [await first.isSignedIn(), await second.isSignedIn(), await third.isSignedIn()],
    [true, true, false],
  )
  const person = await service.createPerson('list@example.com', 'correct horse battery')
  const foreign = await person.request('DELETE', `/api/auth/sessions/${current[0].id}`)
  assert.equal(foreign.status, 404)
  assert.equal((await first.post('/api/auth/sessions/revoke-others')).status, 200)
  assert.deepEqual([await first.isSignedIn(), await second.isSignedIn()], [true, false])
  assert.equal(await person.isSignedIn(), true)
})

test('resets a password by email, which ends all sessions', async () => {
  const email = 'reset@example.com'
  const person = await service.createPerson(email, 'correct horse battery')
  const stranger = await service
    .browser()
    .post('/api/auth/request-password-reset', { email: 'x@example.com' })
  const known = await service.browser().post('/api/auth/request-password-reset', { email })
  assert.deepEqual([stranger.status, stranger.body], [200, known.body])
  const link = await service.linkTo(email, /http\S+\/reset-password\S+/)
  const token = link.searchParams.get('token')
  const short = await service.browser().post('/api/auth/reset-password', { token, newPassword: 'short' })
  assert.deepEqual([short.status, short.body.code], [422, 'sign_in.invalid_password_length'])
  const done = await service
    .browser()
    .post('/api/auth/reset-password', { token, newPassword: 'another password' })
  assert.equal(done.status, 200, done.text)
  const again = await service
    .browser()
    .post('/api/auth/reset-password', { token, newPassword: 'third password' })
  assert.deepEqual([again.status, again.body.code], [410, 'sign_in.link_expired'])
  assert.equal(await person.isSignedIn(), false)
  assert.equal((await service.browser().signIn(email, 'correct horse battery')).status, 401)
  assert.equal((await service.browser().signIn(email, 'another password')).status, 200)
})

test('changes a password, which ends all other sessions', async () => {
  const email = 'change@example.com'
  const person = await service.createPerson(email, 'correct horse battery')
  const other = service.browser()
  await other.signIn(email, 'correct horse battery')
  const body = { currentPassword: 'incorrect password', newPassword: 'another password' }
  const wrong = await person.post('/api/auth/change-password', body)
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'sign_in.password_not_confirmed'])
  const changed = await person.post('/api/auth/change-password', {
    ...body,
    currentPassword: 'correct horse battery',
    revokeOtherSessions: false,
  })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([await person.isSignedIn(), await other.isSignedIn()], [true, false])
})

test('signs in by an email link that works once', async () => {
  const email = 'link@example.com'
  await service.createPerson(email, 'correct horse battery')
  for (const address of [email, 'nobody@example.com'])
    assert.equal(
      (await service.browser().post('/api/auth/sign-in/magic-link', { email: address })).status,
      200,
    )
  const link = await service.linkTo(email, /http\S+\/sign-in\?link=\S+/)
  const token = link.searchParams.get('link')
  const browser = service.browser()
  const signedIn = await browser.post('/api/auth/sign-in/link', { token })
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.equal(await browser.isSignedIn(), true)
  const again = await service.browser().post('/api/auth/sign-in/link', { token })
  assert.deepEqual([again.status, again.body.code], [410, 'sign_in.link_expired'])
  assert.ok(service.smtp.deliveries.every(({ to }) => !to.includes('nobody@example.com')))
})

test('sends at most five links to an account in five minutes', async () => {
  const email = 'flood@example.com'
  await service.createPerson(email, 'correct horse battery')
  const links = () =>
    service.deps.db
      .selectFrom('mails')
      .select('id')
      .where('recipient', '=', email)
      .where('subject', '=', 'Sign in')
      .execute()
  for (let count = 0; count < 5; count++)
    await service.browser().post('/api/auth/sign-in/magic-link', { email })
  await until('five emails', async () => ((await links()).length === 5 ? true : undefined))
  for (let count = 0; count < 3; count++)
    await service.browser().post('/api/auth/sign-in/magic-link', { email })
  const { guess_count: count } = await service.deps.db
    .selectFrom('sign_in_guesses')
    .select('guess_count')
    .where('source', '=', 'mail')
    .orderBy('guess_count', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal(count, 5)
  assert.equal((await links()).length, 5)
})

test('refuses a session to someone who belongs to no workspace', async () => {
  const email = 'removed@example.com'
  const person = await service.createPerson(email, 'correct horse battery')
  const { user } = (await person.get('/api/auth/get-session')).body
  const removed = await service.call('DELETE', `/workspace/members/${user.id}`, { key: service.workspaceKey })
  assert.equal(removed.status, 200, removed.text)
  const response = await service.browser().signIn(email, 'correct horse battery')
  assert.deepEqual([response.status, response.body.code], [403, 'sign_in.no_workspace'])
})

test('lists the methods of signing in', async () => {
  const { body } = await service.browser().get('/api/auth/methods')
  assert.deepEqual(body, {
    password: true,
    passkey: true,
    email_link: true,
    password_reset: true,
    sso: null,
    setup_open: false,
  })
})

test('requires a recent sign-in for a new passkey', async () => {
  const person = await service.createPerson('fresh@example.com', 'correct horse battery')
  const options = () => person.get('/api/auth/passkey/generate-register-options')
  assert.equal((await options()).status, 200)
  const { user } = (await person.get('/api/auth/get-session')).body
  await service.deps.db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 2 * 60 * 60 * 1000) })
    .where('user_id', '=', user.id)
    .execute()
  const response = await options()
  assert.deepEqual([response.status, response.body.code], [403, 'session.not_fresh'])
})

test('deletes expired sessions, links and counts after a day, but remembers known networks', async () => {
  const { db } = service.deps
  const email = 'retention@example.com'
  const person = await service.createPerson(email, 'correct horse battery')
  const other = await service.createPerson('kept@example.com', 'correct horse battery')
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
  const { user } = (await person.get('/api/auth/get-session')).body
  await db.updateTable('sessions').set({ expires_at: twoDaysAgo }).where('user_id', '=', user.id).execute()
  await db
    .insertInto('verifications')
    .values({ id: crypto.randomUUID(), identifier: 'old', value: 'old', expires_at: twoDaysAgo })
    .execute()
  const account = Buffer.alloc(32, 7)
  const counter = { account, guess_count: 3, ends_at: twoDaysAgo }
  await db
    .insertInto('sign_in_guesses')
    .values([
      { ...counter, source: 'network unknown' },
      { ...counter, source: 'network known', signed_in_at: twoDaysAgo },
    ])
    .execute()
  await deleteSomeExpiredSessions(db, 1, 1_000)
  await deleteSomeExpiredVerifications(db, 1, 1_000)
  await deleteSomeOldGuesses(db, 1, 1_000)
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()
  assert.deepEqual(sessions, [])
  const links = await db.selectFrom('verifications').select('id').where('identifier', '=', 'old').execute()
  assert.deepEqual(links, [])
  const sources = await db
    .selectFrom('sign_in_guesses')
    .select('source')
    .where('account', '=', account)
    .execute()
  assert.deepEqual(sources, [{ source: 'network known' }])
  assert.equal(await other.isSignedIn(), true)
})
