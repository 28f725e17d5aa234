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

/** Asserts that the service returned a single 4xx with a message, or closed the connection without a response. */
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
    'an HTTP/2 connection preface': () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    'an HTTP/0.9 request': () => ['GET /api/v1/workspace\r\n\r\n'],
    'an HTTP/9.9 request': () => [get().replace('HTTP/1.1', 'HTTP/9.9')],
    'an unknown method': () => [get().replace('GET', 'FROB')],
    'a header without a colon': () => [get('Nonsense\r\n')],
    'a space before the colon of a header': () => [get('Content-Length : 5\r\n')],
    'a NUL byte in a header': () => [get('X-A: a\0b\r\n')],
    'a bare carriage return in a header': () => [get('X-A: a\rX-B: b\r\n')],
    'a header that continues on a second line': () => [get('X-A: a\r\n  Content-Length: 5\r\n')],
    'a request without a Host header': () => ['GET /api/v1/workspace HTTP/1.1\r\n\r\n'],
    '17 KB of headers': () => [get(`X-Long: ${long}\r\n`)],
    'a 17 KB URL': () => [get().replace('workspace', long)],
    'two thousand headers': () => [get('X-A: aaaaaaa\r\n'.repeat(2000))],
    'Content-Length followed by Transfer-Encoding': () => [
      post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'Transfer-Encoding followed by Content-Length': () => [
      post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'two Content-Length headers': () => [
      post('Content-Length: 2\r\nContent-Length: 100\r\n', `{}${smuggled()}`),
    ],
    'a list of values in Content-Length': () => [post('Content-Length: 2, 2\r\n', '{}')],
    'a Content-Length with a plus sign': () => [post('Content-Length: +2\r\n', '{}')],
    'a negative Content-Length': () => [post('Content-Length: -2\r\n', '{}')],
    'a hexadecimal Content-Length': () => [post('Content-Length: 0x2\r\n', '{}')],
    'a Content-Length that overflows an integer': () => [
      post('Content-Length: 99999999999999999999999\r\n', '{}'),
    ],
    'another transfer encoding after chunked': () => [
      post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'an unknown transfer encoding': () => [post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled()}`)],
    'a chunk with an invalid size': () => [
      post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a negative chunk size': () => [
      post('Transfer-Encoding: chunked\r\n', `-1\r\n{}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a chunk longer than its declared size': () => [
      post('Transfer-Encoding: chunked\r\n', `1\r\n{}}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a chunk size that overflows an integer': () => [
      post('Transfer-Encoding: chunked\r\n', `${'f'.repeat(30)}\r\n{}\r\n`),
    ],
    'a chunk with a very long extension': () => [
      post('Transfer-Encoding: chunked\r\n', `2;${long}\r\n{}\r\n0\r\n\r\n`),
    ],
    '68 KB of trailers': () => [
      post('Transfer-Encoding: chunked\r\n', `2\r\n{}\r\n0\r\nX-A: ${long.repeat(4)}\r\n\r\n`),
    ],
  })) {
    test(`rejects or disconnects a client that sends ${name}`, async () =>
      assertRejected(await sendRaw(service.port, bytes())))
  }
})

describe('incomplete requests', { concurrency: true }, () => {
  const cases: Record<string, () => string> = {
    nothing: () => '',
    'part of a method': () => 'GE',
    'only a request line': () => 'GET /api/v1/workspace HTTP/1.1\r\n',
    'incomplete headers': () => get().slice(0, -4),
    'headers but no body': () => post('Content-Length: 100\r\n'),
    'part of a body': () => post('Content-Length: 100\r\n', '{"name":'),
    'part of a chunk': () => post('Transfer-Encoding: chunked\r\n', '64\r\n{"name":'),
    'chunks without a final chunk': () => post('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n'),
    'part of a body to an unknown endpoint': () =>
      post('Content-Length: 100\r\n', '{').replace('/applications', '/nowhere'),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    test(`rejects or disconnects a client that sends ${name} and half-closes the connection`, async () =>
      assertRejected(await sendRaw(service.port, [bytes()], { halfClose: true })))
  }
  for (const [name, bytes] of Object.entries(cases).slice(1)) {
    test(`rejects or disconnects a client that sends ${name} and then stalls`, async () =>
      assertRejected(await sendRaw(service.port, [bytes()])))
  }
  test('rejects or disconnects a client that sends its headers slowly', async () => {
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
    ['a request preceded by empty lines', () => `\r\n\r\n${get()}`, [200]],
    ['a request to upgrade to WebSocket', () => get('Connection: Upgrade\r\nUpgrade: websocket\r\n'), [200]],
    [
      'a request to upgrade to HTTP/2',
      () => get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
      [200],
    ],
    ['a request with an absolute URL', () => get().replace('/api', 'http://elsewhere.example/api'), [200]],
    ['an OPTIONS * request', () => get().replace('GET /api/v1/workspace', 'OPTIONS *'), [404]],
    ['a TRACE request', () => get().replace('GET', 'TRACE'), [405]],
    ['a path with dot segments', () => get().replace('workspace', '../../livez/../api/v1/workspace'), [404]],
    ['a request with an unknown expectation', () => get('Expect: a miracle\r\n'), [417]],
    [
      'an invalid body after Expect: 100-continue',
      () => post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
      [100, 422],
    ],
    [
      'a GET request with a body followed by another GET request',
      () => get('Content-Length: 2\r\n').concat('{}', get()),
      [200, 200],
    ],
    ['a Content-Length above the limit', () => post('Content-Length: 1048577\r\n'), [413]],
    ['a Content-Length of one terabyte', () => post('Content-Length: 1099511627776\r\n'), [413]],
  ] as [string, () => string, number[]][]) {
    test(`returns ${expected.join(' and then ')} for ${name}`, async () => {
      const received = await sendRaw(service.port, [bytes()], { maxResponses: expected.length })
      assert.deepEqual(received.statuses, expected, received.text)
      if (expected.at(-1)! >= 400) assert.equal(typeof JSON.parse(received.body).message, 'string')
    })
  }
})

test('keeps working after 50 clients half-close their connections before receiving a response', async () => {
  await Promise.all(Array.from({ length: 50 }, () => sendRaw(service.port, [get()], { halfClose: true })))
  const { status } = await service.call('GET', '/workspace', { key: tenant.workspaceKey })
  assert.equal(status, 200)
})
