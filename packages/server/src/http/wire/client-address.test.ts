import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { createClientAddress } from './client-address.ts'

describe('client address', () => {
  const clientOf = createClientAddress(['10.0.0.0/8', 'fd00::/8'])
  const clientAt = (remoteAddress: string | undefined, forwardedFor?: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
    const request = new IncomingMessage(socket)
    if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
    return clientOf(request)
  }

  for (const [name, remote, forwardedFor, expected] of [
    ['removes the zone from an IPv6 address', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['converts an IPv4-mapped address to IPv4', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['returns null when the remote address is unknown', undefined, '192.0.2.9', null],
    ['ignores X-Forwarded-For from an untrusted address', '192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['uses X-Forwarded-For from a trusted proxy', '10.0.0.1', '192.0.2.9', '192.0.2.9'],
    [
      'uses X-Forwarded-For from a trusted proxy with an IPv4-mapped address',
      '::ffff:10.0.0.1',
      '192.0.2.9',
      '192.0.2.9',
    ],
    ['accepts a bracketed IPv6 address with a port', 'fd00::1', '[2001:db8::9]:443', '2001:db8::9'],
    ['accepts an IPv4 address with a port', '10.0.0.1', '192.0.2.9:5678', '192.0.2.9'],
    [
      'uses the rightmost address that is not a trusted proxy',
      '10.0.0.1',
      '198.51.100.1, 192.0.2.9, 10.0.0.2',
      '192.0.2.9',
    ],
    ['uses the proxy address when X-Forwarded-For is `unknown`', '10.0.0.1', 'unknown', '10.0.0.1'],
    [
      'stops at the rightmost entry that is not an address',
      '10.0.0.1',
      '192.0.2.9, unknown, 10.0.0.2',
      '10.0.0.2',
    ],
    [
      'ignores invalid entries to the left of the client address',
      '10.0.0.1',
      'garbage, 192.0.2.9',
      '192.0.2.9',
    ],
    ['uses the proxy address when X-Forwarded-For is empty', '10.0.0.1', '', '10.0.0.1'],
    [
      'uses the leftmost address when every address is a trusted proxy',
      '10.0.0.1',
      '10.0.0.3, 10.0.0.2',
      '10.0.0.3',
    ],
  ] as const) {
    test(name, () => assert.equal(clientAt(remote, forwardedFor).address, expected))
  }
})

describe('behind a trusted proxy', () => {
  let service: Service
  let tenant: Tenant
  before(async () => {
    service = await startService({ environment: { QUAYSIDE_TRUSTED_PROXIES: '127.0.0.0/8,::1' } })
    tenant = await service.tenant()
  })
  after(() => service.close())

  for (const [forwardedFor, expected] of [
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['fe80::fc:ff:fe00:1%eth0', 'fe80::fc:ff:fe00:1'],
    ['unknown', '127.0.0.1'],
    ['garbage', '127.0.0.1'],
    ["' or 1=1 --", '127.0.0.1'],
    ['1.2.3.4, , ', '127.0.0.1'],
  ] as const) {
    test(`records the address ${expected} in the audit log for X-Forwarded-For: "${forwardedFor}"`, async () => {
      const key = tenant.workspaceKey
      const { status, body } = await service.call('POST', '/workspace/labels', {
        key,
        body: { name: `label ${forwardedFor}` },
        headers: { 'x-forwarded-for': forwardedFor },
      })
      assert.equal(status, 201)
      const log = await service.call('GET', `/workspace/audit-log?subject_id=${body.data.id}`, { key })
      assert.equal(log.body.data[0].address, expected)
    })
  }
})
