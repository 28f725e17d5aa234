import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { owner, sharedSignInService } from '../../test/sign-in.ts'

const guesses = Number(process.env['QUAYSIDE_PASSWORD_GUESSES'] ?? 300)
let service: Awaited<ReturnType<typeof sharedSignInService>>

before(async () => {
  service = await sharedSignInService()
})

/** Ends the windows of all counters, as if five minutes had passed. */
const endWindows = () =>
  service.deps.db
    .updateTable('sign_in_guesses')
    .set({ ends_at: new Date(Date.now() - 1_000) })
    .execute()

const addressOf = (index: number): string => `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`

test('stops guesses from many addresses without locking out the owner', async () => {
  const home = service.browser('203.0.113.1')
  assert.equal((await home.signIn(owner.email, owner.password)).status, 200)
  const statuses = new Map<number, number>()
  let next = 0
  async function guess(): Promise<void> {
    for (let index = next++; index < guesses; index = next++) {
      // Every tenth guess is the correct password, once the limit has been reached.
      const password = index > 40 && index % 10 === 0 ? owner.password : `guess number ${index}`
      const { status } = await service.browser(addressOf(index)).signIn(owner.email, password)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 8 }, guess))
  assert.equal(statuses.get(200) ?? 0, 0, JSON.stringify([...statuses]))
  assert.ok((statuses.get(401) ?? 0) <= 20, JSON.stringify([...statuses]))

  const sameDevice = await home.signIn(owner.email, owner.password)
  assert.equal(sameDevice.status, 200, sameDevice.text)
  const sameNetwork = await service.browser('203.0.113.1').signIn(owner.email, owner.password)
  assert.equal(sameNetwork.status, 200, sameNetwork.text)
  home.cookies.delete('quayside.session_token')
  const elsewhere = await service.browser('192.0.2.77').signIn(owner.email, owner.password)
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [429, 'sign_in.too_many_guesses'])
  assert.ok(Number(elsewhere.headers.get('retry-after')) <= 300)
  await endWindows()
  const later = await service.browser('192.0.2.77').signIn(owner.email, owner.password)
  assert.equal(later.status, 200, later.text)
})

test('counts guesses for an email address without an account in the same way', async () => {
  const responses = []
  for (let count = 0; count < 7; count++)
    responses.push(await service.browser('203.0.113.20').signIn('nobody@example.com', 'incorrect password'))
  assert.deepEqual(
    responses.map(({ status }) => status),
    [401, 401, 401, 401, 401, 429, 429],
  )
})

test('counts the addresses of an IPv6 /64 network as one', async () => {
  const statuses = []
  for (let count = 1; count <= 7; count++) {
    const browser = service.browser(`2001:db8:1:2::${count}`)
    statuses.push((await browser.signIn('v6@example.com', 'incorrect password')).status)
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
})

test('limits the guesses of one network for all accounts together', async () => {
  let allowed = 0
  for (let count = 0; count < 60; count++) {
    const response = await service
      .browser('203.0.113.30')
      .signIn(`person-${count}@example.com`, 'incorrect password')
    if (response.status === 401) allowed++
  }
  assert.equal(allowed, 50)
})

test('does not count correct passwords', async () => {
  const email = 'correct@example.com'
  await service.createPerson(email, 'correct horse battery')
  for (let count = 0; count < 8; count++)
    assert.equal((await service.browser('203.0.113.40').signIn(email, 'correct horse battery')).status, 200)
})

test('limits guesses of the current password in a session', async () => {
  const person = await service.createPerson('session@example.com', 'correct horse battery')
  const statuses = []
  for (let count = 0; count < 12; count++) {
    const body = { currentPassword: 'incorrect password', newPassword: 'another password' }
    statuses.push((await person.post('/api/auth/change-password', body)).status)
  }
  assert.equal(statuses.at(-1), 429)
  assert.ok(statuses.filter((status) => status === 403).length <= 10)
  assert.equal(await person.isSignedIn(), true)
})

test('refuses sign-ins with 503 while too many passwords are being checked', async () => {
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      service.browser(`192.0.2.${index + 1}`).signIn(`crowd-${index}@example.com`, 'incorrect password'),
    ),
  )
  const codes = new Set(responses.map(({ body }) => body.code))
  assert.deepEqual(codes, new Set(['password.busy', 'sign_in.incorrect_password']))
  const counted = await service.deps.db
    .selectFrom('sign_in_guesses')
    .select((eb) => eb.fn.sum<number>('guess_count').as('count'))
    .where('source', 'like', 'network 192.0.2.%')
    .where('account', '<>', Buffer.alloc(32))
    .executeTakeFirstOrThrow()
  const checked = responses.filter(({ body }) => body.code === 'sign_in.incorrect_password').length
  assert.equal(counted.count, checked)
})
