import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAddressRules } from './address-rules.ts'

const publicOnly = createAddressRules([])

for (const address of [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
]) {
  test(`allows the public address ${address}`, () => assert.equal(publicOnly.allows(address), true))
}

for (const address of [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::7f00:1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:7f00:1',
  '::FFFF:A9FE:A9FE',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '0064:ff9b:0000::10.0.0.1',
  '64:ff9b:1::808:808',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1111%eth0',
  'fec0::1',
  'ff02::1',
  '',
  'localhost',
  '127.1',
  '2130706433',
  '0x7f000001',
  '010.0.0.1',
  '8.8.8.8 ',
  '[::1]',
]) {
  test(`does not allow ${JSON.stringify(address)}, which is not a public address`, () =>
    assert.equal(publicOnly.allows(address), false))
}

test('allows addresses in the configured ranges but not adjacent addresses', () => {
  const rules = createAddressRules(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32', '::1'])
  for (const address of [
    '10.1.255.1',
    '::ffff:10.1.0.1',
    '64:ff9b::a01:1',
    '127.0.0.1',
    'fd00:1:2::3',
    '::1',
  ])
    assert.equal(rules.allows(address), true, address)
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd00:2::1', '::2', '::ffff:10.2.0.1', '::10.1.0.1'])
    assert.equal(rules.allows(address), false, address)
})

for (const range of [
  '',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/-1',
  'localhost',
  '10.0.0/8',
  'fe80::1%lo',
  '10.0.0.0/8/8',
]) {
  test(`rejects "${range}" as an address range`, () =>
    assert.throws(() => createAddressRules([range]), {
      name: 'RangeError',
      message: /is not an address range/,
    }))
}
