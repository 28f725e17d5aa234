import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../test/harness.ts'
import { createClientAddress } from './client-address.ts'

describe('the address of a client', () => {
  const clientOf = createClientAddress(['10.0.0.0/8', 'fd00::/8'])
  const clientAt = (remoteAddress: string | undefined, forwardedFor?: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
    const request = new IncomingMessage(socket)
    if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
    return clientOf(request)
  }

  for (const [remote, forwardedFor, expected] of [
    ['fe80::1%eth0', undefined, 'fe80::1'],
    ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
    [undefined, '192.0.2.9', null],
    ['192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['10.0.0.1', '192.0.2.9', '192.0.2.9'],
    ['::ffff:10.0.0.1', '192.0.2.9', '192.0.2.9'],
    ['fd00::1', '[2001:db8::9]:443', '2001:db8::9'],
    ['10.0.0.1', '192.0.2.9:5678', '192.0.2.9'],
    ['10.0.0.1', '198.51.100.1, 192.0.2.9, 10.0.0.2', '192.0.2.9'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '192.0.2.9, unknown, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', 'garbage, 192.0.2.9', '192.0.2.9'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ] as const) {
    test(`is ${expected} if ${remote} sends X-Forwarded-For: ${forwardedFor}`, () =>
      assert.equal(clientAt(remote, forwardedFor).address, expected))
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
    test(`records ${expected} for a change with X-Forwarded-For: ${forwardedFor}`, async () => {
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
