import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { startService, type ApiResponse, type Service } from '../../../test/harness.ts'
import { discovery, keysPath, createIssuerKey, startIssuer } from '../../../test/oidc-issuer.ts'
import { startStopwatch } from '../../../test/stopwatch.ts'
import { clock, createPublisher } from './exchange.fixture.ts'

describe('issuer failures', () => {
  let service: Service

  before(async () => {
    service = await startService({ clock })
  })
  afterEach(() => {
    clock.offsetMs = 0
    clock.setBackMs = 0
  })
  after(() => service.close())

  const assertUnusable = ({ status, body }: ApiResponse, message: string) => {
    assert.deepEqual([status, body.code], [403, 'oidc.issuer_unusable'], message)
  }
  const assertUnreachable = ({ status, body, headers }: ApiResponse) => {
    assert.deepEqual([status, body.code], [503, 'oidc.issuer_unreachable'])
    assert.ok(Number(headers.get('retry-after')) > 0)
  }

  test('accepts a new signing key immediately and rejects the old key after the issuer removes it', async () => {
    const { issuer, token, exchange } = await createPublisher(service)
    const [old] = issuer.keys
    assert.equal((await exchange(token())).status, 201)
    issuer.keys.push(createIssuerKey('second'))
    const [, second] = issuer.keys
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => exchange(token({}, { key: second! }))),
    )
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]))
    assert.equal(issuer.requestCounts[keysPath], 2)
    assert.equal((await exchange(token({}, { key: old! }))).status, 201)
    issuer.keys.shift()
    clock.offsetMs = 11 * 60_000
    assert.equal((await exchange(token({}, { key: old! }))).status, 404)
    assert.equal((await exchange(token())).status, 201)
  })

  test('rejects a signing key that the issuer has removed, even after the clock is set back', async () => {
    const { issuer, token, exchange } = await createPublisher(service)
    const [old] = issuer.keys
    assert.equal((await exchange(token())).status, 201)
    issuer.keys.push(createIssuerKey('second'))
    issuer.keys.shift()
    clock.setBackMs = 2 * 24 * 3_600_000
    clock.offsetMs = 11 * 60_000
    assert.equal((await exchange(token({}, { key: old! }))).status, 404)
  })

  test('refreshes the key set at most once every 30 seconds when tokens have unknown key IDs', async () => {
    const { issuer, token, exchange } = await createPublisher(service)
    await exchange(token())
    const flood = async () => {
      for (let n = 0; n < 50; n++) {
        const response = await exchange(token({}, { header: { kid: `kid ${n}` } }))
        assert.equal(response.status, 404)
      }
    }
    await flood()
    assert.equal(issuer.requestCounts[keysPath], 2)
    clock.offsetMs = 31_000
    await flood()
    assert.equal(issuer.requestCounts[keysPath], 3)
  })

  test('returns 403 for an invalid discovery document or key set and refetches it only after a delay', async () => {
    const elsewhere = await startIssuer()
    const { keys } = elsewhere
    for (const [path, value, reason] of [
      [discovery, { issuer: 'https://other.example.com', jwks_uri: '' }, /names a different issuer/],
      [discovery, { jwks_uri: `${elsewhere.url}/keys` }, /names a different issuer/],
      [discovery, 'own', /not an https URL/],
      [discovery, [], /names a different issuer/],
      [discovery, null, /not return a JSON object/],
      [keysPath, { keys: 'x' }, /no `keys` array/],
      [keysPath, {}, /no `keys` array/],
      [keysPath, 7, /not return a JSON object/],
      [keysPath, { keys: keys.map(({ jwk }) => jwk), pad: 'x'.repeat(256 * 1024) }, /of at most 256 KiB/],
      [discovery, { pad: 'x'.repeat(64 * 1024) }, /of at most 64 KiB/],
    ] as [string, unknown, RegExp][]) {
      const { issuer, token, exchange } = await createPublisher(service)
      const document = value === 'own' ? { issuer: issuer.url, jwks_uri: 'http://keys.example.com/' } : value
      issuer.responses[path] = (_request, response) => void issuer.json(response, document)
      for (let n = 0; n < 5; n++) {
        const response = await exchange(token())
        assertUnusable(response, JSON.stringify(value).slice(0, 100))
        assert.match(response.body.message, reason)
      }
      assert.equal(issuer.requestCounts[discovery], 1)
      delete issuer.responses[path]
      clock.offsetMs = 11_000
      assert.equal((await exchange(token())).status, 201)
      clock.offsetMs = 0
    }
  })

  test('does not follow redirects from an issuer', async () => {
    const elsewhere = await startIssuer()
    for (const path of [discovery, keysPath]) {
      for (const status of [301, 302, 307, 308]) {
        const { issuer, token, exchange } = await createPublisher(service)
        issuer.responses[path] = (_request, response) =>
          void response.writeHead(status, { location: `${elsewhere.url}${path}` }).end()
        assertUnusable(await exchange(token()), `${status}`)
      }
    }
    assert.deepEqual(elsewhere.requestCounts, {})
  })

  test('finds the valid key among malformed entries in a key set', async () => {
    const { issuer, token, exchange } = await createPublisher(service)
    const [key] = issuer.keys
    const { n, e } = key!.jwk as { n: string; e: string }
    const malformed = [
      null,
      7,
      'x',
      [],
      {},
      { kty: 'oct', k: 'c2VjcmV0', kid: 'first', alg: 'RS256' },
      { kty: 'RSA', kid: 'first' },
      { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'first' },
      { kty: 'RSA', n: 'x'.repeat(5000), e, kid: 'first' },
      { kty: 'RSA', n, e, kid: 'first', use: 'enc' },
      { kty: 'EC', crv: 'P-256', x: '', y: '', kid: 'first' },
      { kty: 'RSA', n: { toString: 1 }, e: [], kid: 'first' },
    ]
    issuer.responses[keysPath] = (_request, response) =>
      void issuer.json(response, { keys: [...malformed, key!.jwk] })
    assert.equal((await exchange(token())).status, 201)
    issuer.responses[keysPath] = (_request, response) => void issuer.json(response, { keys: malformed })
    const { token: otherToken, exchange: otherExchange, issuer: second } = await createPublisher(service)
    second.responses[keysPath] = (_request, response) => void second.json(response, { keys: malformed })
    assert.equal((await otherExchange(otherToken())).status, 404)
  })

  test('returns 503 with Retry-After until an unavailable issuer recovers', async () => {
    for (const failure of ['500', '429', 'reset', 'closed']) {
      const { issuer, token, exchange } = await createPublisher(service)
      issuer.responses[discovery] = (_request, response) => {
        if (failure === 'reset') response.destroy()
        else response.writeHead(Number(failure)).end()
      }
      if (failure === 'closed') await issuer.close()
      for (let n = 0; n < 3; n++) assertUnreachable(await exchange(token()))
      if (failure === 'closed') continue
      // If the server closes a keep-alive connection, undici retries a GET request on a new connection.
      assert.ok(issuer.requestCounts[discovery]! <= 2)
      delete issuer.responses[discovery]
      clock.offsetMs = 11_000
      assert.equal((await exchange(token())).status, 201)
      clock.offsetMs = 0
    }
  })

  test('returns 503 for tokens from a stalled issuer without delaying tokens from other issuers', async () => {
    const { issuer, token, exchange } = await createPublisher(service)
    issuer.responses[keysPath] = (_request, response) => void response.write('{"keys":[')
    const healthy = await createPublisher(service)
    using stopwatch = startStopwatch()
    const waiting = Promise.all(Array.from({ length: 10 }, () => exchange(token())))
    assert.equal((await healthy.exchange(healthy.token())).status, 201)
    for (const response of await waiting) assertUnreachable(response)
    assert.ok(stopwatch.elapsedMs() < 8_000)
    assert.equal(issuer.requestCounts[keysPath], 1)
  })

  test('continues to use the cached keys of an unreachable issuer for an hour', async () => {
    const { issuer, token, exchange } = await createPublisher(service)
    assert.equal((await exchange(token())).status, 201)
    issuer.responses[discovery] = (_request, response) => void response.writeHead(503).end()
    clock.offsetMs = 50 * 60_000
    assert.equal((await exchange(token())).status, 201)
    clock.offsetMs = 61 * 60_000
    assertUnreachable(await exchange(token()))
  })

  test('rejects tokens from an issuer at a private or loopback IP address', async () => {
    const { issuer, tenant, token, exchange } = await createPublisher(service)
    for (const url of ['http://[::1]:9', 'https://10.0.0.1', 'https://[::ffff:10.0.0.1]']) {
      const { db } = service.deps
      await db
        .updateTable('trusted_publishers')
        .set({ issuer: url })
        .where('application_id', '=', tenant.applicationId)
        .execute()
      assertUnusable(await exchange(token({ iss: url })), url)
    }
    assert.deepEqual(issuer.requestCounts, {})
  })
})
