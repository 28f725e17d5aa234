import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type Service } from '../../../test/harness.ts'
import { jwt, createIssuerKey } from '../../../test/oidc-issuer.ts'
import { clock, createPublisher } from './exchange.fixture.ts'

let service: Service

before(async () => {
  service = await startService({ clock })
})
after(() => service.close())

test('accepts tokens signed with any supported algorithm, with or without a `kid` header', async () => {
  const { issuer, token, exchange } = await createPublisher(service)
  issuer.keys.push(
    createIssuerKey('p256', 'ES256'),
    createIssuerKey('ed', 'EdDSA'),
    createIssuerKey('second'),
  )
  for (const key of issuer.keys) {
    for (const header of [{}, { kid: undefined }]) {
      const { status, text } = await exchange(token({}, { key, header }))
      assert.equal(status, 201, `${key.kid} ${text}`)
    }
  }
})

test('rejects malformed, unsigned, expired and incorrectly signed tokens but allows for clock skew', async () => {
  const { issuer, token, exchange } = await createPublisher(service)
  const [key] = issuer.keys
  const seconds = Math.floor(clock.now().getTime() / 1000)
  const claims = JSON.parse(Buffer.from(token().split('.')[1]!, 'base64url').toString()) as object
  const hmac = { kid: 'first', alg: 'HS256' }
  const stranger = { ...createIssuerKey('first') }
  const [head, , sign] = token().split('.')
  const forged = Buffer.from(JSON.stringify({ ...claims, ref: 'refs/heads/main', run_id: '1' })).toString(
    'base64url',
  )
  const rs384 = createIssuerKey('other', 'RS384')
  issuer.keys.push({ ...rs384, jwk: { ...rs384.jwk, alg: 'RS384' } })
  for (const [description, text, status] of [
    ['not a string', 7, 422],
    ['nothing', '', 422],
    ['not a token', 'x', 422],
    ['two parts', 'e30.e30', 422],
    ['an encrypted token', 'e30.e30.e30.e30.e30', 422],
    ['not JSON', 'e30.bm8.e30', 422],
    ['a list as claims', 'e30.W10.e30', 422],
    ['more than 16 KiB', token({ pad: 'x'.repeat(16_384) }), 422],
    ['no issuer', token({ iss: undefined }), 422],
    ['an issuer that is a number', token({ iss: 1 }), 422],
    ['an issuer with a NUL', token({ iss: `${issuer.url}/\0` }), 422],
    ['an issuer with an unpaired surrogate', token({ iss: `${issuer.url}/\ud800` }), 422],
    ['an issuer that is not a URL', token({ iss: 'acme' }), 422],
    ['a kid that is a number', token({}, { header: { kid: 1 } }), 422],
    ['no expiry', token({ exp: undefined }), 422],
    ['an expiry that is a string', token({ exp: `${seconds + 60}` }), 422],
    ['no time of issue', token({ iat: undefined }), 422],
    ['a start that is null', token({ nbf: null }), 422],
    ['expired', token({ exp: seconds - 61 }), 401],
    ['not valid yet', token({ nbf: seconds + 90 }), 401],
    ['issued in the future', token({ iat: seconds + 90 }), 401],
    ['issued in the far future', token({ iat: 1e300 }), 401],
    ['alg none', jwt({ alg: 'none' }, claims, null), 401],
    ['alg NONE', jwt({ alg: 'NONE', kid: 'first' }, claims, key!), 401],
    ['no alg', jwt({ kid: 'first' }, claims, key!), 401],
    ['HS256', jwt(hmac, claims, key!), 401],
    ['RS384', token({}, { key: issuer.keys[1]! }), 401],
    ['ES256 with the kid of an RSA key', token({}, { header: { alg: 'ES256' } }), 404],
    ["a stranger's key with the right kid", token({}, { key: stranger }), 404],
    ['no signature', jwt({ alg: 'RS256', kid: 'first' }, claims, null), 404],
    ['claims changed after signing', `${head}.${forged}.${sign}`, 404],
    ['an unknown critical header', token({}, { header: { crit: ['x'], x: 1 } }), 404],
    ['an unencoded payload', token({}, { header: { crit: ['b64'], b64: false } }), 404],
    [
      'a key embedded in the header',
      token({}, { key: stranger, header: { jwk: stranger.jwk, kid: undefined } }),
      404,
    ],
    ['an unknown kid', token({}, { header: { kid: 'nobody' } }), 404],
    ['another issuer', token({ iss: 'https://issuer.example.com' }), 404],
    ['the issuer with a trailing slash', token({ iss: `${issuer.url}/` }), 404],
    ['expired 50 s ago, within the leeway', token({ exp: seconds - 50 }), 201],
    ['valid in 50 s, within the leeway', token({ nbf: seconds + 50, iat: seconds + 50 }), 201],
  ] as [string, unknown, number][]) {
    const response = await exchange(text)
    assert.equal(response.status, status, `${description}: ${response.text}`)
  }
})

test('applies the per-token key limit across ES256 tokens that differ only in their signatures', async () => {
  const { issuer, token, exchange } = await createPublisher(service)
  const key = createIssuerKey('p256', 'ES256')
  issuer.keys.push(key)
  const first = token({}, { key })
  const text = first.slice(0, first.lastIndexOf('.'))
  const [header, claims] = text
    .split('.')
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object)
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await exchange(jwt(header!, claims!, key))).status)
  assert.deepEqual(statuses, [...Array<number>(10).fill(201), 429])
})
