import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIssuerUrl, literalAddress } from './issuer-url.ts'

for (const [text, expected] of [
  ['https://token.actions.githubusercontent.com', true],
  ['https://gitlab.example.com:8443/sub/path', true],
  ['https://acme.eu.auth0.com/', true],
  ['http://localhost:4000', true],
  ['http://127.8.0.1', true],
  ['http://[::1]:4000', true],
  ['http://gitlab.example.com', false],
  ['http://localhost.example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['https://', false],
  ['https://issuer.example.com/?a=b', false],
  ['https://issuer.example.com/#a', false],
  ['https://user@issuer.example.com', false],
  ['https:\\\\issuer.example.com', false],
  ['https://issuer.example.com\\@evil.example.com', false],
  ['https://issuer.example.com/ a', false],
  ['https://issuer.example.com/\0', false],
  ['https://issuer.example.com/\n', false],
  ['https://[::1', false],
  ['ftp://issuer.example.com', false],
  ['javascript:alert(1)', false],
  ['issuer.example.com', false],
  ['', false],
] as [string, boolean][]) {
  test(`${expected ? 'accepts' : 'rejects'} ${JSON.stringify(text)} as an issuer URL`, () =>
    assert.equal(isIssuerUrl(text), expected))
}

test('normalizes an IP address in any notation and returns undefined for a host name', () => {
  for (const [host, address] of [
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['[::FFFF:10.0.0.1]', '::ffff:a00:1'],
    ['example.com', undefined],
    ['127.0.0.1.example.com', undefined],
  ])
    assert.equal(literalAddress(`https://${host}/`), address)
})
