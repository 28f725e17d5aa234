import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from './harness.ts'
import { sendRaw, type RawResponse } from './raw-socket.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const auth = () => `Host: localhost\r\nAuthorization: Bearer ${tenant.workspaceKey}\r\n`
const get = (headers = '') => `GET /api/v1/workspace HTTP/1.1\r\n${auth()}${headers}\r\n`
const post = (headers: string, body = '') =>
  `POST /api/v1/applications HTTP/1.1\r\n${auth()}Content-Type: application/json\r\n${headers}\r\n${body}`
const smuggled = () => `GET /api/v1/workspace/api-keys HTTP/1.1\r\n${auth()}\r\n`

/** Asserts that the service sent one 4xx with a message, or closed the connection without a response. */
function assertRejected({ statuses, body, text, isClosed }: RawResponse): void {
  assert.ok(statuses.length <= 1, text)
  if (statuses.length === 0) return assert.ok(isClosed)
  const [status = 0] = statuses
  assert.ok(status >= 400 && status < 500, text)
  assert.ok(isClosed, 'the connection must be closed when request boundaries are lost')
  assert.equal(typeof (JSON.parse(body) as { message: unknown }).message, 'string')
}

const long = 'x'.repeat(17 * 1024)

describe('requests that are not valid HTTP', { concurrency: true }, () => {
  for (const [name, bytes] of Object.entries<() => (string | Uint8Array)[]>({
    'random bytes': () => [Uint8Array.from({ length: 300 }, (_, n) => (n * 7) % 256)],
    'a TLS ClientHello': () => [Buffer.from('16030100a5010000a10303', 'hex'), Buffer.alloc(160, 7)],
    'an HTTP/2 preface': () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    'an HTTP/0.9 request': () => ['GET /api/v1/workspace\r\n\r\n'],
    'an HTTP/9.9 request': () => [get().replace('HTTP/1.1', 'HTTP/9.9')],
    'an unknown method': () => [get().replace('GET', 'FROB')],
    'a header without a colon': () => [get('Nonsense\r\n')],
    'a space before the colon': () => [get('Content-Length : 5\r\n')],
    'a NUL in a header': () => [get('X-A: a\0b\r\n')],
    'bare carriage returns': () => [get('X-A: a\rX-B: b\r\n')],
    'a folded header': () => [get('X-A: a\r\n  Content-Length: 5\r\n')],
    'no Host header': () => ['GET /api/v1/workspace HTTP/1.1\r\n\r\n'],
    '17 KB of headers': () => [get(`X-Long: ${long}\r\n`)],
    'a 17 KB URL': () => [get().replace('workspace', long)],
    'two thousand headers': () => [get('X-A: aaaaaaa\r\n'.repeat(2000))],
    'Content-Length before Transfer-Encoding': () => [
      post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'Transfer-Encoding before Content-Length': () => [
      post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'two Content-Lengths': () => [post('Content-Length: 2\r\nContent-Length: 100\r\n', `{}${smuggled()}`)],
    'a list in Content-Length': () => [post('Content-Length: 2, 2\r\n', '{}')],
    'a signed Content-Length': () => [post('Content-Length: +2\r\n', '{}')],
    'a negative Content-Length': () => [post('Content-Length: -2\r\n', '{}')],
    'a hexadecimal Content-Length': () => [post('Content-Length: 0x2\r\n', '{}')],
    'a Content-Length that overflows': () => [post('Content-Length: 99999999999999999999999\r\n', '{}')],
    'a transfer encoding after chunked': () => [
      post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'an unknown transfer encoding': () => [post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled()}`)],
    'a chunk without a size': () => [
      post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a negative chunk size': () => [
      post('Transfer-Encoding: chunked\r\n', `-1\r\n{}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a chunk longer than its size': () => [
      post('Transfer-Encoding: chunked\r\n', `1\r\n{}}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a chunk size that overflows': () => [
      post('Transfer-Encoding: chunked\r\n', `${'f'.repeat(30)}\r\n{}\r\n`),
    ],
    'a chunk with a very long extension': () => [
      post('Transfer-Encoding: chunked\r\n', `2;${long}\r\n{}\r\n0\r\n\r\n`),
    ],
    '17 KB of trailers': () => [
      post('Transfer-Encoding: chunked\r\n', `2\r\n{}\r\n0\r\nX-A: ${long}\r\n\r\n`),
    ],
  })) {
    test(`rejects or disconnects a client that sends ${name}`, async () =>
      assertRejected(await sendRaw(service.port, bytes())))
  }
})

describe('incomplete requests', { concurrency: true }, () => {
  const cases: Record<string, () => string> = {
    nothing: () => '',
    'half a method': () => 'GE',
    'a request line': () => 'GET /api/v1/workspace HTTP/1.1\r\n',
    'half the headers': () => get().slice(0, -4),
    'headers but no body': () => post('Content-Length: 100\r\n'),
    'half a body': () => post('Content-Length: 100\r\n', '{"name":'),
    'half a chunk': () => post('Transfer-Encoding: chunked\r\n', '64\r\n{"name":'),
    'chunks but no last chunk': () => post('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n'),
    'half a body to an unknown endpoint': () =>
      post('Content-Length: 100\r\n', '{').replace('/applications', '/nowhere'),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    test(`rejects or disconnects a client that sends ${name} and half-closes the connection`, async () =>
      assertRejected(await sendRaw(service.port, [bytes()], { halfClose: true })))
  }
  for (const [name, bytes] of Object.entries(cases).slice(1)) {
    test(`within 10 s, rejects or disconnects a client that sends ${name} and then stalls`, async () =>
      assertRejected(await sendRaw(service.port, [bytes()])))
  }
  test('within 10 s, rejects or disconnects a client that sends its headers slowly', async () => {
    const pieces = [
      'GET /api/v1/workspace HTTP/1.1\r\n',
      ...Array.from({ length: 40 }, (_, n) => `X-${n}: 1\r\n`),
    ]
    assertRejected(await sendRaw(service.port, pieces, { pauseMs: 300 }))
  })
})

describe('unusual requests', { concurrency: true }, () => {
  for (const [name, bytes, expected] of [
    ['two pipelined requests', () => get() + get(), [200, 200]],
    ['empty lines before a request', () => `\r\n\r\n${get()}`, [200]],
    ['an upgrade to a WebSocket', () => get('Connection: Upgrade\r\nUpgrade: websocket\r\n'), [200]],
    [
      'an upgrade to HTTP/2',
      () => get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
      [200],
    ],
    ['an absolute URL', () => get().replace('/api', 'http://elsewhere.example/api'), [200]],
    ['OPTIONS *', () => get().replace('GET /api/v1/workspace', 'OPTIONS *'), [404]],
    ['TRACE', () => get().replace('GET', 'TRACE'), [405]],
    ['dot segments in the path', () => get().replace('workspace', '../../livez/../api/v1/workspace'), [404]],
    ['an unknown expectation', () => get('Expect: a miracle\r\n'), [417]],
    ['Expect: 100-continue', () => post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'), [100, 422]],
    ['a GET with a body, then a GET', () => get('Content-Length: 2\r\n').concat('{}', get()), [200, 200]],
    ['a Content-Length beyond the limit', () => post('Content-Length: 1048577\r\n'), [413]],
    ['a one-terabyte Content-Length', () => post('Content-Length: 1099511627776\r\n'), [413]],
  ] as [string, () => string, number[]][]) {
    test(`returns ${expected.join(' then ')} for ${name}`, async () => {
      const received = await sendRaw(service.port, [bytes()], { maxResponses: expected.length })
      assert.deepEqual(received.statuses, expected, received.text)
      if (expected.at(-1)! >= 400) assert.equal(typeof JSON.parse(received.body).message, 'string')
    })
  }
})

test('the service keeps working after clients disconnect before receiving a response', async () => {
  await Promise.all(Array.from({ length: 50 }, () => sendRaw(service.port, [get()], { halfClose: true })))
  const { status } = await service.call('GET', '/workspace', { key: tenant.workspaceKey })
  assert.equal(status, 200)
})
