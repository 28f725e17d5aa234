import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localNetwork } from './local-network.ts'

const address = (value: string, internal = false) => ({
  address: value,
  family: 'IPv4' as const,
  internal,
  netmask: '255.255.255.0',
  mac: '00:00:00:00:00:00',
  cidr: null,
})
const interfaces = {
  lo: [address('127.0.0.1', true)],
  wlan0: [address('192.168.1.20'), address('169.254.3.4')],
  docker0: [address('172.17.0.1')],
}

const computer = { interfaces, isIsolated: false }

test('lists the URLs in the local network if the public URL leads each device to itself', () => {
  for (const host of ['localhost', 'quayside.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    assert.deepEqual(
      localNetwork({ publicUrl: `http://${host}:4400`, port: 4400 }, computer),
      {
        urls: ['http://192.168.1.20:4400'],
        command: 'QUAYSIDE_HOST=0.0.0.0 QUAYSIDE_PUBLIC_URL=http://192.168.1.20:4400 npm start',
      },
      host,
    )
})

test('uses the port on which the service listens, without TLS', () => {
  for (const publicUrl of ['http://localhost:4499', 'https://localhost', 'http://localhost:8080/builds'])
    assert.deepEqual(
      localNetwork({ publicUrl, port: 4499 }, computer),
      {
        urls: ['http://192.168.1.20:4499'],
        command:
          'QUAYSIDE_HOST=0.0.0.0 QUAYSIDE_PORT=4499 QUAYSIDE_PUBLIC_URL=http://192.168.1.20:4499 npm start',
      },
      publicUrl,
    )
})

test('lists no URLs of a container or a computer without a network', () => {
  const service = { publicUrl: 'http://localhost:4400', port: 4400 }
  const none = { urls: [], command: null }
  assert.deepEqual(localNetwork(service, { interfaces, isIsolated: true }), none)
  assert.deepEqual(localNetwork(service, { interfaces: { lo: interfaces.lo }, isIsolated: false }), none)
})

test('returns null if other devices can open the public URL', () => {
  for (const publicUrl of [
    'https://builds.example.com',
    'http://192.168.1.20:4400',
    'http://localhost.example.com',
  ])
    assert.equal(localNetwork({ publicUrl, port: 4400 }, computer), null, publicUrl)
})
