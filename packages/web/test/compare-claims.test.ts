import assert from 'node:assert/strict'
import test from 'node:test'
import { compareClaims, decodeClaims } from '../src/features/trusted-publishers/compare-claims.ts'

const publisher = {
  id: 'p',
  name: 'Release',
  issuer: 'https://ci.example.com',
  audience: 'https://builds.example.com',
  claims: { ref: ['refs/heads/main', 'refs/tags/v*'], run: '7' },
  scopes: ['builds:create'],
  application_id: 'a',
  created_by: null,
  expires_at: null,
  created_at: '',
  updated_at: '',
  warnings: [],
}

const tokenOf = (claims: object): string =>
  ['{}', JSON.stringify(claims), ''].map((part) => Buffer.from(part).toString('base64url')).join('.')

const resultsOf = (claims: Record<string, unknown>) =>
  Object.fromEntries(compareClaims(publisher, claims).map(({ name, isMatch }) => [name, isMatch]))

void test('decodes the claims of a token, including text that is not ASCII', () => {
  assert.deepEqual(decodeClaims(` ${tokenOf({ sub: 'Größe' })}\n`), { sub: 'Größe' })
  assert.equal(decodeClaims('qsw_key'), undefined)
  assert.equal(decodeClaims('a.b.c'), undefined)
})

void test('compares each required claim with the token', () => {
  const claims = { iss: publisher.issuer, aud: ['x', publisher.audience], ref: 'refs/tags/v1.2', run: 7 }
  assert.deepEqual(resultsOf(claims), { iss: true, aud: true, ref: true, run: true })
  assert.deepEqual(resultsOf({ iss: `${publisher.issuer}/`, ref: 'refs/heads/main2' }), {
    iss: false,
    aud: false,
    ref: false,
    run: false,
  })
})
