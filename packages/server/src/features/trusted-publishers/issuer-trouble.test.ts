import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Answer, type Service } from '../../../test/harness.ts'
import { discovery, keysPath, makeIssuerKey, startIssuer } from '../../../test/oidc-issuer.ts'
import { movedClock as clock, trusting } from './exchange.fixture.ts'

let service: Service

before(async () => {
  service = await startService({ clock })
})
after(() => service.close())

const unusable = ({ status, body }: Answer, about: string) => {
  assert.deepEqual([status, body.code], [403, 'oidc.issuer_unusable'], about)
}
const unreachable = ({ status, body, headers }: Answer) => {
  assert.deepEqual([status, body.code], [503, 'oidc.issuer_unreachable'])
  assert.ok(Number(headers.get('retry-after')) > 0)
}

test('keys that rotate, tokens of the new one taken at once, those of the old one until it goes', async () => {
  const { issuer, token, exchange } = await trusting(service)
  const [old] = issuer.keys
  assert.equal((await exchange(token())).status, 201)
  issuer.keys.push(makeIssuerKey('second'))
  const [, second] = issuer.keys
  const together = await Promise.all(Array.from({ length: 20 }, () => exchange(token({}, { key: second! }))))
  assert.deepEqual(new Set(together.map(({ status }) => status)), new Set([201]))
  assert.equal(issuer.asked[keysPath], 2)
  assert.equal((await exchange(token({}, { key: old! }))).status, 201)
  issuer.keys.shift()
  try {
    clock.byMs = 11 * 60_000
    assert.equal((await exchange(token({}, { key: old! }))).status, 404)
    assert.equal((await exchange(token())).status, 201)
  } finally {
    clock.byMs = 0
  }
})

test('a flood of tokens with keys that are not there, the issuer is asked twice a minute', async () => {
  const { issuer, token, exchange } = await trusting(service)
  await exchange(token())
  const flood = async () => {
    for (let n = 0; n < 50; n++) {
      const answer = await exchange(token({}, { header: { kid: `kid ${n}` } }))
      assert.equal(answer.status, 404)
    }
  }
  await flood()
  assert.equal(issuer.asked[keysPath], 2)
  try {
    clock.byMs = 31_000
    await flood()
    assert.equal(issuer.asked[keysPath], 3)
  } finally {
    clock.byMs = 0
  }
})

test('a discovery document or key set that is wrong, 403 with the reason, the issuer is left alone for a while', async () => {
  const elsewhere = await startIssuer()
  const { keys } = elsewhere
  for (const [place, value, reason] of [
    [discovery, { issuer: 'https://other.example.com', jwks_uri: '' }, /another issuer/],
    [discovery, { jwks_uri: `${elsewhere.url}/keys` }, /another issuer/],
    [discovery, 'own', /no https URL/],
    [discovery, [], /another issuer/],
    [discovery, null, /no JSON object/],
    [keysPath, { keys: 'x' }, /no list of keys/],
    [keysPath, {}, /no list of keys/],
    [keysPath, 7, /no JSON object/],
    [keysPath, { keys: keys.map(({ jwk }) => jwk), pad: 'x'.repeat(256 * 1024) }, /of at most 256 KiB/],
    [discovery, { pad: 'x'.repeat(64 * 1024) }, /of at most 64 KiB/],
  ] as [string, unknown, RegExp][]) {
    const { issuer, token, exchange } = await trusting(service)
    const document = value === 'own' ? { issuer: issuer.url, jwks_uri: 'http://keys.example.com/' } : value
    issuer.answers[place] = (_request, response) => void issuer.json(response, document)
    for (let n = 0; n < 5; n++) {
      const answer = await exchange(token())
      unusable(answer, JSON.stringify(value).slice(0, 100))
      assert.match(answer.body.message, reason)
    }
    assert.equal(issuer.asked[discovery], 1)
    delete issuer.answers[place]
    try {
      clock.byMs = 11_000
      assert.equal((await exchange(token())).status, 201)
    } finally {
      clock.byMs = 0
    }
  }
})

test('an issuer that redirects, not followed', async () => {
  const elsewhere = await startIssuer()
  for (const place of [discovery, keysPath]) {
    for (const status of [301, 302, 307, 308]) {
      const { issuer, token, exchange } = await trusting(service)
      issuer.answers[place] = (_request, response) =>
        void response.writeHead(status, { location: `${elsewhere.url}${place}` }).end()
      unusable(await exchange(token()), `${status}`)
    }
  }
  assert.deepEqual(elsewhere.asked, {})
})

test('key sets with odd entries, the good one still found', async () => {
  const { issuer, token, exchange } = await trusting(service)
  const [key] = issuer.keys
  const { n, e } = key!.jwk as { n: string; e: string }
  const odd = [
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
  issuer.answers[keysPath] = (_request, response) => void issuer.json(response, { keys: [...odd, key!.jwk] })
  assert.equal((await exchange(token())).status, 201)
  issuer.answers[keysPath] = (_request, response) => void issuer.json(response, { keys: odd })
  const { token: other, exchange: ask, issuer: second } = await trusting(service)
  second.answers[keysPath] = (_request, response) => void second.json(response, { keys: odd })
  assert.equal((await ask(other())).status, 404)
})

test('an issuer that answers 500, 429, breaks off, is not there: 503 with Retry-After; then taken up again', async () => {
  for (const trouble of ['500', '429', 'break', 'gone']) {
    const { issuer, token, exchange } = await trusting(service)
    issuer.answers[discovery] = (_request, response) => {
      if (trouble === 'break') response.destroy()
      else response.writeHead(Number(trouble)).end()
    }
    if (trouble === 'gone') await issuer.close()
    for (let n = 0; n < 3; n++) unreachable(await exchange(token()))
    if (trouble === 'gone') continue
    // undici sends a GET again on another connection where a kept one broke
    assert.ok(issuer.asked[discovery]! <= 2)
    delete issuer.answers[discovery]
    try {
      clock.byMs = 11_000
      assert.equal((await exchange(token())).status, 201)
    } finally {
      clock.byMs = 0
    }
  }
})

test('an issuer that never ends its answer, 503 within seconds for all who wait, others are served meanwhile', async () => {
  const { issuer, token, exchange } = await trusting(service)
  issuer.answers[keysPath] = (_request, response) => void response.write('{"keys":[')
  const healthy = await trusting(service)
  const start = performance.now()
  const waiting = Promise.all(Array.from({ length: 10 }, () => exchange(token())))
  assert.equal((await healthy.exchange(healthy.token())).status, 201)
  for (const answer of await waiting) unreachable(answer)
  assert.ok(performance.now() - start < 8000)
  assert.equal(issuer.asked[keysPath], 1)
})

test('an issuer that goes away, its known keys are good for an hour', async () => {
  const { issuer, token, exchange } = await trusting(service)
  assert.equal((await exchange(token())).status, 201)
  issuer.answers[discovery] = (_request, response) => void response.writeHead(503).end()
  try {
    clock.byMs = 50 * 60_000
    assert.equal((await exchange(token())).status, 201)
    clock.byMs = 61 * 60_000
    unreachable(await exchange(token()))
  } finally {
    clock.byMs = 0
  }
})

test('an issuer that has moved to a private address, refused', async () => {
  const { issuer, tenant, token, exchange } = await trusting(service)
  for (const url of ['http://[::1]:9', 'https://10.0.0.1', 'https://[::ffff:10.0.0.1]']) {
    const { db } = service.deps
    await db
      .updateTable('trusted_publishers')
      .set({ issuer: url })
      .where('application_id', '=', tenant.applicationId)
      .execute()
    unusable(await exchange(token({ iss: url })), url)
  }
  assert.deepEqual(issuer.asked, {})
})
