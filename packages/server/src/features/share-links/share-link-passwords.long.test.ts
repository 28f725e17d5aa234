import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

const environment = { QUAYSIDE_TRUSTED_PROXIES: '127.0.0.1' }

let service: Service
let tenant: Tenant
let path: string

before(async () => {
  service = await startService({ environment })
  tenant = await service.tenant()
  const { build } = await uploadedBuild(service, tenant)
  path = `/applications/${tenant.applicationId}/builds/${build.id}/share-links`
})
after(() => service.close())

type Link = { id: string; url: string; locked_until: string | null }

const send = (method: string, target: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.call(method, target, { key: tenant.applicationKey, body, headers })

async function createLink(): Promise<Link> {
  const { status, body, text } = await send('POST', path, { password: 'right' })
  assert.equal(status, 201, text)
  return body.data
}

const unlock = (link: Link, address: string, body: object, node = service) =>
  node.call('POST', `${link.url}/grants`, { key: null, body, headers: { 'x-forwarded-for': address } })

/** Submits a password, and retries while the service is busy checking other passwords. */
async function enter(link: Link, address: string, body: object) {
  for (;;) {
    const response = await unlock(link, address, body)
    if (response.status !== 503) return response
    assert.equal(response.body.code, 'password.busy')
    assert.equal(response.headers.get('retry-after'), '1')
  }
}

const guess = (link: Link, address: string) => enter(link, address, { password: 'wrong' })
const openWith = (link: Link, address: string, grant?: string) =>
  enter(link, address, { password: 'right', grant })

const addressOf = (index: number): string => `203.0.${index >> 8}.${index & 255}`

/** Sets the number of wrong passwords that all clients together have entered for the link. */
const setGuesses = (link: Link, count: number) =>
  service.deps.db
    .insertInto('share_link_guesses')
    .values({
      share_link_id: link.id,
      network: '',
      guess_count: count,
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    .onConflict((conflict) =>
      conflict.columns(['share_link_id', 'network']).doUpdateSet({ guess_count: count }),
    )
    .execute()

const guessesOf = async (link: Link) => {
  const rows = await service.deps.db
    .selectFrom('share_link_guesses')
    .select(['network', 'guess_count'])
    .where('share_link_id', '=', link.id)
    .orderBy('network')
    .execute()
  return rows.map(({ network, guess_count }) => [network, guess_count])
}

const read = async (link: Link): Promise<Link> =>
  (await send('GET', path)).body.data.find(({ id }: Link) => id === link.id)

const secondsUntil = (time: string | null): number => (Date.parse(time ?? '') - Date.now()) / 1000

test('locks the link after exactly 100 wrong passwords when 100 clients guess concurrently', async () => {
  const link = await createLink()
  await setGuesses(link, 90)
  const responses = await Promise.all(Array.from({ length: 100 }, (_, i) => guess(link, addressOf(i))))
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [...Array(10).fill(403), ...Array(90).fill(429)])
  for (const { status, headers, body } of responses.filter((response) => response.status === 429)) {
    assert.deepEqual([status, body.code], [429, 'share_link.too_many_guesses'])
    const seconds = Number(headers.get('retry-after'))
    assert.ok(seconds > 3_500 && seconds <= 3_600, `${seconds}`)
  }
  assert.equal((await openWith(link, '198.51.100.1')).status, 429)
  const { locked_until } = await read(link)
  assert.ok(secondsUntil(locked_until) > 3_500 && secondsUntil(locked_until) <= 3_600, `${locked_until}`)
  const entry = await auditEntry(service, link.id)
  assert.deepEqual(
    [entry.action, entry.actor_kind, entry.actor_name],
    ['share_link.locked', 'system', 'Password protection'],
  )
  assert.deepEqual(entry.after, { locked_until, wrong_passwords: 100 })
})

test('counts wrong passwords across nodes', async () => {
  const link = await createLink()
  await setGuesses(link, 98)
  const node = await startService({ environment, state: service.state })
  try {
    assert.equal((await unlock(link, addressOf(1), { password: 'wrong' }, node)).status, 403)
    assert.equal((await guess(link, addressOf(2))).status, 403)
    assert.equal((await unlock(link, addressOf(3), { password: 'right' }, node)).status, 429)
    for (let i = 0; i < 5; i++) await guess(link, addressOf(i))
    const own = await createLink()
    for (let i = 0; i < 5; i++) await guess(own, addressOf(4))
    assert.equal((await unlock(own, addressOf(4), { password: 'right' }, node)).status, 429)
  } finally {
    await node.stop()
  }
})

test('lets a visitor with a valid grant download files and renew the grant while the link is locked', async () => {
  const link = await createLink()
  const { grant } = (await openWith(link, addressOf(1))).body.data
  await setGuesses(link, 99)
  assert.equal((await guess(link, addressOf(2))).status, 403)
  assert.equal((await openWith(link, addressOf(1))).status, 429)
  assert.equal((await openWith(link, addressOf(1), `9${grant}`)).status, 429)
  const renewed = await openWith(link, addressOf(1), grant)
  assert.equal(renewed.status, 201, renewed.text)
  const download = await service.call('GET', `${link.url}/download?grant=${renewed.body.data.grant}`, {
    key: null,
  })
  assert.equal(download.status, 302)
})

test('does not count a correct password as a guess, even when only one guess remains', async () => {
  const link = await createLink()
  await setGuesses(link, 99)
  for (let i = 0; i < 3; i++) assert.equal((await openWith(link, addressOf(i))).status, 201)
  assert.deepEqual(await guessesOf(link), [['', 99]])
  assert.equal((await read(link)).locked_until, null)
  assert.equal((await guess(link, addressOf(1))).status, 403)
  assert.equal((await openWith(link, addressOf(2))).status, 429)
})

/** Keeps the service busy hashing passwords until the returned function is called. */
function keepBusy() {
  const state = { isStopped: false }
  const loop = async () => {
    while (!state.isStopped) await service.deps.passwords.hash('x')
  }
  // Twenty concurrent calls exceed the capacity of the password queue. A loop ends when its call is rejected.
  const loops = Promise.allSettled(Array.from({ length: 20 }, loop))
  return async () => {
    state.isStopped = true
    await loops
  }
}

test('does not count a password that the server was too busy to check', async () => {
  const link = await createLink()
  const stop = keepBusy()
  const response = await unlock(link, addressOf(1), { password: 'wrong' })
  assert.deepEqual([response.status, response.body.code], [503, 'password.busy'])
  assert.deepEqual(await guessesOf(link), [])
  await stop()
})

test('allows each client five wrong passwords and treats an IPv6 /64 network as one client', async () => {
  const link = await createLink()
  for (let i = 0; i < 5; i++) assert.equal((await guess(link, `2001:db8:1:2::${i + 1}`)).status, 403)
  const refused = await openWith(link, '2001:db8:1:2:ffff::1')
  assert.equal(refused.status, 429)
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds > 600 && seconds <= 900, `${seconds}`)
  assert.equal((await guess(link, '2001:db8:1:3::1')).status, 403)
  assert.deepEqual(await guessesOf(link), [
    ['', 6],
    ['2001:db8:1:2::/64', 5],
    ['2001:db8:1:3::/64', 1],
  ])
})

test('doubles the lockout each time the limit is reached and ends it when the password changes', async () => {
  const link = await createLink()
  await setGuesses(link, 100)
  const { db } = service.deps
  const endPause = (hoursAgo: number) =>
    db
      .updateTable('share_link_guesses')
      .set({ ends_at: new Date(Date.now() - hoursAgo * 3_600_000 - 1_000).toISOString() })
      .where('share_link_id', '=', link.id)
      .execute()
  const useUp = async () => {
    assert.equal((await guess(link, addressOf(1))).status, 403)
    await db
      .updateTable('share_link_guesses')
      .set({ guess_count: 99 })
      .where('share_link_id', '=', link.id)
      .where('network', '=', '')
      .execute()
    assert.equal((await guess(link, addressOf(2))).status, 403)
    return Math.round(secondsUntil((await read(link)).locked_until) / 3_600)
  }
  const pauses: number[] = []
  for (let i = 0; i < 7; i++) {
    await endPause(0)
    pauses.push(await useUp())
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 24, 24])
  await endPause(25)
  assert.equal(await useUp(), 1)
  const changed = await send('PATCH', `/share-links/${link.id}`, { password: 'right' })
  assert.equal(changed.body.data.locked_until, null)
  assert.equal((await openWith(link, addressOf(1))).status, 201)
})

test('serves other requests promptly while many passwords are being hashed', async () => {
  let created = 0
  const state = { isOver: false }
  const creating = Promise.all(
    Array.from({ length: 48 }, async (_, i) => {
      const { status } = await send('POST', path, { password: 'x' }, { 'idempotency-key': `many-${i}` })
      if (status === 201) created++
      return status
    }),
  ).finally(() => {
    state.isOver = true
  })
  let maxCreatedMeanwhile = 0
  while (!state.isOver) {
    const before = created
    assert.equal((await send('GET', `/applications/${tenant.applicationId}`)).status, 200)
    maxCreatedMeanwhile = Math.max(maxCreatedMeanwhile, created - before)
  }
  const statuses = await creating
  assert.ok(created >= 16 && statuses.every((status) => status === 201 || status === 503), statuses.join())
  assert.ok(maxCreatedMeanwhile < 10, `another request waited for ${maxCreatedMeanwhile} links to be created`)
})

test('replays an idempotent response without hashing the password again', async () => {
  const headers = { 'idempotency-key': 'with-a-password' }
  const first = await send('POST', path, { password: 'x' }, headers)
  const stop = keepBusy()
  const again = await send('POST', path, { password: 'x' }, headers)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal((await send('POST', path, { password: 'y' }, headers)).status, 422)
  const busy = await send('POST', path, { password: 'y' }, { 'idempotency-key': 'while-busy' })
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '1'])
  await stop()
  const retried = await send('POST', path, { password: 'y' }, { 'idempotency-key': 'while-busy' })
  assert.deepEqual([retried.status, retried.headers.get('idempotency-replayed')], [201, null])
})

test('limits how many passwords a key can set per minute', async () => {
  const node = await startService({
    environment: { ...environment, QUAYSIDE_RATE_LIMIT: '30' },
    state: service.state,
  })
  try {
    const set = (method: string, target: string, body: object, key = tenant.applicationKey) =>
      node.call(method, target, { key, body })
    const { body } = await set('POST', path, { password: 'x' })
    const change = (fields: object) => set('PATCH', `/share-links/${body.data.id}`, fields)
    for (let i = 0; i < 2; i++) assert.equal((await change({ password: 'x' })).status, 200)
    for (const refused of [await change({ password: 'x' }), await set('POST', path, { password: 'x' })]) {
      assert.deepEqual([refused.status, refused.body.code], [429, 'share_link.too_many_passwords'])
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
    }
    assert.equal((await change({ password: null })).status, 200)
    assert.equal((await set('POST', path, {})).status, 201)
    assert.equal((await set('POST', path, { password: 'x' }, tenant.workspaceKey)).status, 201)
  } finally {
    await node.stop()
  }
})
