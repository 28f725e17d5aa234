import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../lib/problem.ts'
import { createUrlSigner, type Claims } from './signed-url.ts'

const publicUrl = 'https://builds.example.com/'
const signer = createUrlSigner({ secret: 'one secret', publicUrl })
const now = new Date('2026-11-21T03:00:00Z')
const later = now.getTime() / 1000 + 60
const target = (url: string): string => url.slice('https://builds.example.com'.length)

const putClaims: Claims = { method: 'PUT', key: randomUUID(), partNumber: 3, sizeBytes: 1234 }
const getClaims: Claims = { method: 'GET', key: randomUUID(), filename: 'ü "a" %.apk', contentType: 'a/b' }

const refusal = (method: string, url: string, at = now): string => {
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
  test('a URL gives back what was signed, whatever the file name', () => {
    assert.deepEqual(signer.verify('PUT', target(signer.sign(putClaims, later)), now), putClaims)
    const anyName = fc.string({ unit: 'binary' }).map((filename): Claims => ({
      method: 'GET',
      key: putClaims.key,
      filename: filename.toWellFormed(),
      contentType: 'a/b',
    }))
    fc.assert(
      fc.property(anyName, (claims) => {
        assert.deepEqual(signer.verify('GET', target(signer.sign(claims, later)), now), claims)
      }),
    )
  })

  test('URLs start with the public origin', () => {
    assert.match(signer.sign(putClaims, later), /^https:\/\/builds\.example\.com\/storage\/v1\//)
  })

  test('one character changed anywhere, the URL is refused or says the same', () => {
    for (const claims of [putClaims, getClaims]) {
      const url = target(signer.sign(claims, later))
      const changes = fc.tuple(
        fc.nat(url.length - 1),
        fc.constantFrom(...'0123456789abcdefXYZ_-&=%+/?'.split('')),
      )
      let refused = 0
      fc.assert(
        fc.property(changes, ([at, character]) => {
          const changed = url.slice(0, at) + character + url.slice(at + 1)
          if (refusal(claims.method, changed) === 'allowed')
            assert.deepEqual(signer.verify(claims.method, changed, now), claims)
          else refused += 1
        }),
        { numRuns: 2000 },
      )
      assert.ok(refused > 1500)
    }
  })

  test('claims moved between fields, methods, keys or versions are refused', () => {
    const url = target(signer.sign(putClaims, later))
    assert.equal(refusal('GET', url), 'storage.bad_signature')
    assert.equal(refusal('PUT', target(signer.sign(getClaims, later))), 'storage.bad_signature')
    assert.equal(refusal('PUT', url.replace('/v1/', '/v2/')), 'storage.bad_signature')
    assert.equal(refusal('PUT', url.replace(putClaims.key, randomUUID())), 'storage.bad_signature')
    assert.equal(refusal('PUT', url.replace('part=3', 'part=4')), 'storage.bad_signature')
    assert.equal(refusal('PUT', url.replace('size=1234', 'size=12340')), 'storage.bad_signature')
    assert.equal(refusal('PUT', url.replace(String(later), String(later + 1))), 'storage.bad_signature')
    const other = createUrlSigner({ secret: 'another secret', publicUrl })
    assert.equal(refusal('PUT', target(other.sign(putClaims, later))), 'storage.bad_signature')
  })

  test('a URL is good until its last second and not after', () => {
    const url = target(signer.sign(putClaims, later))
    assert.equal(refusal('PUT', url, new Date(later * 1000 - 1)), 'allowed')
    assert.equal(refusal('PUT', url, new Date(later * 1000)), 'storage.url_expired')
  })

  test('any text at all is a refusal, never another error', () => {
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
        assert.notEqual(refusal(method, text), 'allowed')
        assert.notEqual(
          refusal(method, `/storage/v1/${putClaims.key}?${new URLSearchParams(fields).toString()}`),
          'allowed',
        )
        assert.notEqual(
          refusal(method, `/storage/v1/${putClaims.key}?part=%ff&signature=%${text}`),
          'allowed',
        )
      }),
    )
  })
})
