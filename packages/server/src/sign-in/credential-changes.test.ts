import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { sharedSignInService } from '../../test/sign-in.ts'
import { totpCode } from '../../test/totp.ts'
import { until } from '../../test/until.ts'

let service: Awaited<ReturnType<typeof sharedSignInService>>

before(async () => {
  service = await sharedSignInService()
})

test('refuses a password that is changed while it is verified', async (t) => {
  const email = 'race@example.com'
  const person = await service.createPerson(email, 'correct horse battery')
  const { passwords } = service.deps
  const verify = passwords.verify.bind(passwords)
  const attacker = service.browser()
  t.mock.method(passwords, 'verify', async (...sent: Parameters<typeof verify>) => {
    t.mock.restoreAll()
    const isCorrect = await verify(...sent)
    const body = { currentPassword: 'correct horse battery', newPassword: 'another password' }
    assert.equal((await person.post('/api/auth/change-password', body)).status, 200)
    return isCorrect
  })
  const response = await attacker.signIn(email, 'correct horse battery')
  assert.deepEqual([response.status, response.body.code], [401, 'sign_in.incorrect_password'])
  assert.deepEqual([await attacker.isSignedIn(), await person.isSignedIn()], [false, true])
})

test('ends all links sent to a person when a credential changes or other sessions end', async () => {
  const email = 'links@example.com'
  const person = await service.createPerson(email, 'correct horse battery')
  const other = 'links-other@example.com'
  await service.createPerson(other, 'correct horse battery')
  let password = 'correct horse battery'
  let count = 0

  /** Requests a link that resets the password and one that signs in. Returns their tokens. */
  async function requestLinks(address: string) {
    // The limit on emails is tested elsewhere.
    await service.deps.db.deleteFrom('sign_in_guesses').where('source', '=', 'mail').execute()
    const before = service.smtp.deliveries.length
    const arrived = (subject: string) =>
      until(subject, () =>
        service.smtp.deliveries
          .slice(before)
          .some(({ to, data }) => to.includes(address) && data.includes(`Subject: ${subject}`)),
      )
    await service.browser().post('/api/auth/request-password-reset', { email: address })
    await arrived('Reset your password')
    await service.browser().post('/api/auth/sign-in/magic-link', { email: address.toUpperCase() })
    await arrived('Sign in')
    const reset = await service.linkTo(address, /http\S+\/reset-password\S+/)
    const signIn = await service.linkTo(address, /http\S+\/sign-in\?link=\S+/)
    return { reset: reset.searchParams.get('token'), signIn: signIn.searchParams.get('link') }
  }
  const changePassword = (newPassword: string) => {
    const body = { currentPassword: password, newPassword }
    password = newPassword
    return person.post('/api/auth/change-password', body)
  }
  const useLink = (token: string | null, newPassword: string) =>
    service.browser().post('/api/auth/reset-password', { token, newPassword })

  const foreign = await requestLinks(other)
  const changes: Record<string, (links: { reset: string | null }) => Promise<{ status: number }>> = {
    'changing the password': () => changePassword(`another password ${count++}`),
    'ending other sessions': () => person.post('/api/auth/sessions/revoke-others'),
    'turning on a second factor': async () => {
      const { body } = await person.post('/api/auth/two-factor/enable', { password })
      return person.post('/api/auth/two-factor/verify-totp', { code: totpCode(body.totpURI) })
    },
    'turning off a second factor': () => person.post('/api/auth/two-factor/disable', { password }),
    'another reset': async () => {
      const { reset } = await requestLinks(email)
      password = 'the password of the reset'
      return useLink(reset, password)
    },
  }
  for (const [name, change] of Object.entries(changes)) {
    const links = await requestLinks(email)
    assert.equal((await change(links)).status, 200, name)
    const reset = await useLink(links.reset, 'a password of an attacker')
    assert.deepEqual([reset.status, reset.body.code], [410, 'sign_in.link_expired'], name)
    const signIn = await service.browser().post('/api/auth/sign-in/link', { token: links.signIn })
    assert.deepEqual([signIn.status, signIn.body.code], [410, 'sign_in.link_expired'], name)
  }
  assert.equal((await service.browser().signIn(email, password)).status, 200)
  assert.equal((await useLink(foreign.reset, 'my own new password')).status, 200)
})

test('ends links and trusted devices that a node of the previous version stored', async () => {
  const { db } = service.deps
  const email = 'rolling-upgrade@example.com'
  const password = 'correct horse battery'
  const person = await service.createPerson(email, password)
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const values = {
    'trusted device': id,
    'sign-in link': JSON.stringify({ type: 'magic-link', email: email.toUpperCase() }),
    'state of another sign-in': JSON.stringify({ callbackURL: '/', nested: { email } }),
  }
  for (const [name, value] of Object.entries(values))
    await sql`insert into verifications (id, identifier, value, expires_at)
      values (gen_random_uuid(), ${`old node: ${name}`}, ${value}, now() + interval '30 days')`.execute(db)
  const body = { currentPassword: password, newPassword: 'another password' }
  assert.equal((await person.post('/api/auth/change-password', body)).status, 200)
  const kept = await db
    .selectFrom('verifications')
    .select('identifier')
    .where('identifier', 'like', 'old node: %')
    .execute()
  assert.deepEqual(kept, [{ identifier: 'old node: state of another sign-in' }])
})
