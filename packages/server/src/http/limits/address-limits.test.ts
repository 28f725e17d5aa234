import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { generateKey } from '../../features/api-keys/api-key.ts'
import { createRefusalLog } from './refusal-log.ts'

describe('per-address limits', () => {
  let service: Service
  let tenant: Tenant
  before(async () => {
    const environment = {
      QUAYSIDE_TRUSTED_PROXIES: '127.0.0.1,::1',
      QUAYSIDE_PUBLIC_RATE_LIMIT: '5',
      QUAYSIDE_FAILED_KEY_LIMIT: '10',
    }
    service = await startService({ environment })
    tenant = await service.tenant()
  })
  after(() => service.close())

  const from = (address: string, key: string | null, path = '/workspace') =>
    service.call('GET', path, { key, headers: { 'x-forwarded-for': address } })
  const guess = (address: string) => from(address, generateKey('workspace'))

  test('returns 429 with Retry-After when an address exceeds its limit for invalid keys', async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => guess('192.0.2.1')))
    assert.equal(responses.filter(({ status }) => status === 401).length, 10)
    const refused = responses.filter(({ status }) => status === 429)
    assert.equal(refused.length, 20)
    for (const { body, headers } of refused) {
      assert.match(
        body.message,
        /^Too many requests with an invalid API key from this address: the limit is 10/,
      )
      assert.ok(Number(headers.get('retry-after')) >= 1)
    }
    assert.equal((await guess('192.0.2.2')).status, 401)
  })

  test('accepts existing and newly created keys from an address that has exceeded its limit for invalid keys', async () => {
    await Promise.all(Array.from({ length: 12 }, () => guess('192.0.2.3')))
    assert.equal((await guess('192.0.2.3')).status, 429)
    assert.equal((await from('192.0.2.3', tenant.workspaceKey)).status, 200)
    const created = await service.key(tenant.workspaceId, null, ['workspace:read'])
    assert.equal((await from('192.0.2.3', created)).status, 200)
  })

  test('counts all addresses in an IPv6 /64 network as one address', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, host) => guess(`2001:db8:0:1::${host + 1}`)))
    assert.equal((await guess('[2001:db8:0:1:ffff::1]:443')).status, 429)
    assert.equal((await guess('2001:db8:0:2::1')).status, 401)
  })

  test('does not count requests without a key or with a valid key toward the limit for invalid keys', async () => {
    for (let call = 0; call < 15; call++) assert.equal((await from('192.0.2.4', null)).status, 401)
    for (let call = 0; call < 15; call++)
      assert.equal((await from('192.0.2.4', tenant.workspaceKey)).status, 200)
    assert.equal((await guess('192.0.2.4')).status, 401)
  })

  test('limits requests to public endpoints by address and reports the limit in RateLimit-Policy', async () => {
    const path = '/public/share-links/none/none'
    for (let call = 0; call < 5; call++) {
      const { status, headers } = await from('192.0.2.5', null, path)
      assert.equal(status, 404)
      assert.equal(headers.get('ratelimit-policy'), '"address";q=5;w=60')
    }
    const refused = await from('192.0.2.5', null, path)
    assert.equal(refused.status, 429)
    assert.match(refused.body.message, /^Too many requests without an API key from this address/)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal((await from('192.0.2.6', null, path)).status, 404)
    assert.equal((await from('192.0.2.5', tenant.workspaceKey)).status, 200)
  })

  test('accepts a key within one second of its creation even if it was rejected before', async () => {
    const { db } = service.deps
    const created = await service.key(tenant.workspaceId, null, ['workspace:read'])
    const { id } = await db
      .selectFrom('api_keys')
      .select('id')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const setRevoked = (revoked: boolean) =>
      db
        .updateTable('api_keys')
        .set((eb) => ({ revoked_at: revoked ? eb.fn<string>('now') : null }))
        .where('id', '=', id)
        .execute()
    await setRevoked(true)
    assert.equal((await from('192.0.2.7', created)).status, 401)
    await setRevoked(false)
    const isAccepted = async () => (await from('192.0.2.8', created)).status === 200
    await until('the key is accepted', isAccepted, { withinMs: 1_000 })
  })
})

test('logs the first rejected caller immediately and the number of later callers at most once per minute', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const lines: unknown[] = []
  const log = createRefusalLog({ warn: (line: unknown) => void lines.push(line) }, () => now)
  const pass = (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
  }
  log.count('refusedKeys', '192.0.2.1')
  assert.deepEqual(lines, [{ refusedKeys: 1, addresses: { '192.0.2.1': 1 } }])
  for (let call = 0; call < 500; call++) log.count('refusedKeys', '192.0.2.2')
  log.count('limitedRequests', '192.0.2.3')
  pass(59_000)
  assert.equal(lines.length, 1)
  pass(1_000)
  assert.deepEqual(lines[1], {
    refusedKeys: 500,
    limitedRequests: 1,
    addresses: { '192.0.2.2': 500, '192.0.2.3': 1 },
  })
  pass(120_000)
  assert.equal(lines.length, 2)
})
