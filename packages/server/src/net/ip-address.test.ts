import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, normalizeAddress } from './ip-address.ts'

for (const [text, expected] of [
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1\t', '192.0.2.1'],
  ['192.0.2.1:5678', '192.0.2.1'],
  ['192.0.2.1:', '192.0.2.1'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:80', 'fe80::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::ffff:c000:201]:80', '192.0.2.1'],
  ['::', '::'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
] as const) {
  test(`parses ${JSON.stringify(text)} as ${expected}`, () => assert.equal(normalizeAddress(text), expected))
}

for (const text of [
  '',
  'unknown',
  '_hidden',
  'localhost',
  '192.0.2.256',
  '192.0.2.1:5678:9',
  '[192.0.2.1]:80',
  '[2001:db8::1',
  '2001:db8::1]',
  '[]:80',
  '%eth0',
  '10.0.0.0/8',
  "' or 1=1 --",
]) {
  test(`does not parse ${JSON.stringify(text)} as an address`, () =>
    assert.equal(normalizeAddress(text), undefined))
}

test('treats an IPv6 /64 as one network and each IPv4 address as a separate network', () => {
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::'))
  assert.notEqual(networkOf('2001:db8:1:2::'), networkOf('2001:db8:1:3::'))
  assert.notEqual(networkOf('192.0.2.1'), networkOf('192.0.2.2'))
})
