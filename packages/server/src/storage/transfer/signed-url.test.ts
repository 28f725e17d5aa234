import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../../lib/problem.ts'
import { createUrlSigner, type Claims } from './signed-url.ts'

const publicUrl = 'https://builds.example.com/'
const signer = createUrlSigner({ secret: 'one secret', publicUrl })
const now = new Date('2026-11-21T03:00:00Z')
const expiresAt = now.getTime() / 1000 + 60
const pathOf = (url: string): string => url.slice('https://builds.example.com'.length)

const putClaims: Claims = {
  method: 'PUT',
  key: randomUUID(),
  partNumber: 3,
  sizeBytes: 1234,
  callerId: 'key-1',
}
const getClaims: Claims = { method: 'GET', key: randomUUID(), filename: 'ü "a" %.apk', contentType: 'a/b' }

const outcomeOf = (method: string, url: string, at = now): string => {
  try {
    signer.verify(method, url, at)
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.status, 403)
    return error.code
  }
  return 'allowed'
}

describe('signed URLs', () => {
  test('verifies a signed URL with any file name and returns its claims', () => {
    assert.deepEqual(signer.verify('PUT', pathOf(signer.sign(putClaims, expiresAt)), now), putClaims)
    const anyName = fc.string({ unit: 'binary' }).map((filename): Claims => ({
      method: 'GET',
      key: putClaims.key,
      filename: filename.toWellFormed(),
      contentType: 'a/b',
    }))
    fc.assert(
      fc.property(anyName, (claims) => {
        assert.deepEqual(signer.verify('GET', pathOf(signer.sign(claims, expiresAt)), now), claims)
      }),
    )
  })

  test('creates URLs that start with the public origin', () => {
    assert.match(signer.sign(putClaims, expiresAt), /^https:\/\/builds\.example\.com\/storage\/v1\//)
  })

  test('rejects a URL with one changed character unless the claims remain the same', () => {
    for (const claims of [putClaims, getClaims]) {
      const url = pathOf(signer.sign(claims, expiresAt))
      const changes = fc.tuple(
        fc.nat(url.length - 1),
        fc.constantFrom(...'0123456789abcdefXYZ_-&=%+/?'.split('')),
      )
      let rejected = 0
      fc.assert(
        fc.property(changes, ([at, character]) => {
          const changed = url.slice(0, at) + character + url.slice(at + 1)
          if (outcomeOf(claims.method, changed) === 'allowed')
            assert.deepEqual(signer.verify(claims.method, changed, now), claims)
          else rejected += 1
        }),
        { numRuns: 2000 },
      )
      assert.ok(rejected > 1500)
    }
  })

  test('rejects a signed URL if the method, version, key, a field value or the secret differs', () => {
    const url = pathOf(signer.sign(putClaims, expiresAt))
    assert.equal(outcomeOf('GET', url), 'storage.bad_signature')
    assert.equal(outcomeOf('PUT', pathOf(signer.sign(getClaims, expiresAt))), 'storage.bad_signature')
    assert.equal(outcomeOf('PUT', url.replace('/v1/', '/v2/')), 'storage.bad_signature')
    assert.equal(outcomeOf('PUT', url.replace(putClaims.key, randomUUID())), 'storage.bad_signature')
    assert.equal(outcomeOf('PUT', url.replace('part=3', 'part=4')), 'storage.bad_signature')
    assert.equal(outcomeOf('PUT', url.replace('size=1234', 'size=12340')), 'storage.bad_signature')
    assert.equal(
      outcomeOf('PUT', url.replace(String(expiresAt), String(expiresAt + 1))),
      'storage.bad_signature',
    )
    const other = createUrlSigner({ secret: 'another secret', publicUrl })
    assert.equal(outcomeOf('PUT', pathOf(other.sign(putClaims, expiresAt))), 'storage.bad_signature')
  })

  test('accepts a URL only until it expires', () => {
    const url = pathOf(signer.sign(putClaims, expiresAt))
    assert.equal(outcomeOf('PUT', url, new Date(expiresAt * 1000 - 1)), 'allowed')
    assert.equal(outcomeOf('PUT', url, new Date(expiresAt * 1000)), 'storage.url_expired')
  })

  test('rejects arbitrary paths and query strings with 403', () => {
    const query = fc.record(
      {
        part: fc.string(),
        size: fc.string(),
        expires: fc.string(),
        signature: fc.string(),
        filename: fc.string(),
        type: fc.string(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.constantFrom('PUT', 'GET'), fc.string(), query, (method, text, fields) => {
        assert.notEqual(outcomeOf(method, text), 'allowed')
        assert.notEqual(
          outcomeOf(method, `/storage/v1/${putClaims.key}?${new URLSearchParams(fields).toString()}`),
          'allowed',
        )
        assert.notEqual(
          outcomeOf(method, `/storage/v1/${putClaims.key}?part=%ff&signature=%${text}`),
          'allowed',
        )
      }),
    )
  })
})
