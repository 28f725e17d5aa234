import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service, type Tenant } from './harness.ts'
import { say, type Said } from './raw-socket.ts'

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

/** Nothing, or answers that refuse in words; never a 5xx and never two answers to one request. */
function isRefusal({ statuses, body, text, isClosed }: Said): void {
  assert.ok(statuses.length <= 1, text)
  if (statuses.length === 0) return assert.ok(isClosed)
  const [status = 0] = statuses
  assert.ok(status >= 400 && status < 500, text)
  assert.ok(isClosed, 'a connection whose bytes cannot be told apart any more is closed')
  assert.equal(typeof (JSON.parse(body) as { message: unknown }).message, 'string')
}

const long = 'x'.repeat(17 * 1024)

describe('requests that are no HTTP', { concurrency: true }, () => {
  for (const [name, bytes] of Object.entries<() => (string | Uint8Array)[]>({
    'bytes of no meaning': () => [Uint8Array.from({ length: 300 }, (_, n) => (n * 7) % 256)],
    'a TLS greeting': () => [Buffer.from('16030100a5010000a10303', 'hex'), Buffer.alloc(160, 7)],
    'the preface of HTTP/2': () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    'HTTP/0.9': () => ['GET /api/v1/workspace\r\n\r\n'],
    'HTTP/9.9': () => [get().replace('HTTP/1.1', 'HTTP/9.9')],
    'a method nobody knows': () => [get().replace('GET', 'FROB')],
    'a header without a colon': () => [get('Nonsense\r\n')],
    'a space before the colon': () => [get('Content-Length : 5\r\n')],
    'NUL in a header': () => [get('X-A: a\0b\r\n')],
    'bare carriage returns': () => [get('X-A: a\rX-B: b\r\n')],
    'a folded header': () => [get('X-A: a\r\n  Content-Length: 5\r\n')],
    'no Host': () => ['GET /api/v1/workspace HTTP/1.1\r\n\r\n'],
    'headers of 17 KB': () => [get(`X-Long: ${long}\r\n`)],
    'a URL of 17 KB': () => [get().replace('workspace', long)],
    'two thousand headers': () => [get('X-A: aaaaaaa\r\n'.repeat(2000))],
    'Content-Length and Transfer-Encoding': () => [
      post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'Transfer-Encoding and Content-Length': () => [
      post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'two Content-Lengths': () => [post('Content-Length: 2\r\nContent-Length: 100\r\n', `{}${smuggled()}`)],
    'a list as Content-Length': () => [post('Content-Length: 2, 2\r\n', '{}')],
    'Content-Length with a sign': () => [post('Content-Length: +2\r\n', '{}')],
    'Content-Length below zero': () => [post('Content-Length: -2\r\n', '{}')],
    'Content-Length in hex': () => [post('Content-Length: 0x2\r\n', '{}')],
    'Content-Length beyond all numbers': () => [post('Content-Length: 99999999999999999999999\r\n', '{}')],
    'an encoding after chunked': () => [
      post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled()}`),
    ],
    'an encoding nobody knows': () => [post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled()}`)],
    'a chunk of no size': () => [
      post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a chunk below zero': () => [
      post('Transfer-Encoding: chunked\r\n', `-1\r\n{}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a chunk longer than it says': () => [
      post('Transfer-Encoding: chunked\r\n', `1\r\n{}}\r\n0\r\n\r\n${smuggled()}`),
    ],
    'a chunk size beyond all numbers': () => [
      post('Transfer-Encoding: chunked\r\n', `${'f'.repeat(30)}\r\n{}\r\n`),
    ],
    'a chunk with a very long extension': () => [
      post('Transfer-Encoding: chunked\r\n', `2;${long}\r\n{}\r\n0\r\n\r\n`),
    ],
    'trailers of 17 KB': () => [
      post('Transfer-Encoding: chunked\r\n', `2\r\n{}\r\n0\r\nX-A: ${long}\r\n\r\n`),
    ],
  })) {
    test(`${name}, refused in words or closed`, async () => isRefusal(await say(service.port, bytes())))
  }
})

describe('requests that stop in the middle', { concurrency: true }, () => {
  const cases: Record<string, () => string> = {
    nothing: () => '',
    'half a method': () => 'GE',
    'a request line': () => 'GET /api/v1/workspace HTTP/1.1\r\n',
    'half the headers': () => get().slice(0, -4),
    'no byte of the body': () => post('Content-Length: 100\r\n'),
    'half a body': () => post('Content-Length: 100\r\n', '{"name":'),
    'half a chunk': () => post('Transfer-Encoding: chunked\r\n', '64\r\n{"name":'),
    'no last chunk': () => post('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n'),
    'half the body of an endpoint that is not there': () =>
      post('Content-Length: 100\r\n', '{').replace('/applications', '/nowhere'),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    test(`${name}, then the client hangs up: no word or a refusal`, async () =>
      isRefusal(await say(service.port, [bytes()], { endsAfter: true })))
  }
  for (const [name, bytes] of Object.entries(cases).slice(1)) {
    test(`${name}, then silence: a refusal or the end within 10 s`, async () =>
      isRefusal(await say(service.port, [bytes()])))
  }
  test('headers that trickle in, a refusal within 10 s', async () => {
    const pieces = [
      'GET /api/v1/workspace HTTP/1.1\r\n',
      ...Array.from({ length: 40 }, (_, n) => `X-${n}: 1\r\n`),
    ]
    isRefusal(await say(service.port, pieces, { pauseMs: 300 }))
  })
})

describe('requests out of the ordinary', { concurrency: true }, () => {
  for (const [name, bytes, expected] of [
    ['two at once', () => get() + get(), [200, 200]],
    ['empty lines before it', () => `\r\n\r\n${get()}`, [200]],
    ['an upgrade to a WebSocket', () => get('Connection: Upgrade\r\nUpgrade: websocket\r\n'), [200]],
    [
      'an upgrade to HTTP/2',
      () => get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
      [200],
    ],
    ['an absolute URL', () => get().replace('/api', 'http://elsewhere.example/api'), [200]],
    ['OPTIONS of everything', () => get().replace('GET /api/v1/workspace', 'OPTIONS *'), [404]],
    ['TRACE', () => get().replace('GET', 'TRACE'), [405]],
    ['dots in the path', () => get().replace('workspace', '../../livez/../api/v1/workspace'), [404]],
    ['an expectation nobody knows', () => get('Expect: a miracle\r\n'), [417]],
    ['Expect: 100-continue', () => post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'), [100, 422]],
    ['GET with a body', () => get('Content-Length: 2\r\n').concat('{}', get()), [200, 200]],
    ['a Content-Length beyond the limit', () => post('Content-Length: 1048577\r\n'), [413]],
    ['a Content-Length of a terabyte', () => post('Content-Length: 1099511627776\r\n'), [413]],
  ] as [string, () => string, number[]][]) {
    test(`${name}, ${expected.join(', then ')}`, async () => {
      const said = await say(service.port, [bytes()], { answers: expected.length })
      assert.deepEqual(said.statuses, expected, said.text)
      if (expected.at(-1)! >= 400) assert.equal(typeof JSON.parse(said.body).message, 'string')
    })
  }
})

test('a client that vanishes while its answer is made, the service goes on', async () => {
  await Promise.all(Array.from({ length: 50 }, () => say(service.port, [get()], { endsAfter: true })))
  const { status } = await service.call('GET', '/workspace', { key: tenant.workspaceKey })
  assert.equal(status, 200)
})
