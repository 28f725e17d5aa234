import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { sendRaw } from '../../../test/raw-socket.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

type Head = { method?: string; path?: string; headers?: string; type?: string | null; key?: string }

/** Sends one raw request with the given body. */
async function send(body: string | Uint8Array, head: Head = {}) {
  const { method = 'POST', path = '/applications', headers = '', type = 'application/json' } = head
  const { key = tenant.workspaceKey } = head
  const bytes = Buffer.from(body)
  const lines = [
    `${method} /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`,
    type === null ? '' : `Content-Type:${type}\r\n`,
    headers === '' ? `Content-Length: ${bytes.length}\r\n` : headers,
    '\r\n',
  ]
  const response = await sendRaw(
    service.port,
    [Buffer.concat([Buffer.from(lines.join(''), 'latin1'), bytes])],
    {
      maxResponses: 1,
    },
  )
  assert.equal(response.statuses.length, 1, response.text)
  const content = JSON.parse(response.body) as { message: string; errors?: Record<string, string[]> }
  assert.equal(typeof content.message, 'string')
  return { status: response.statuses[0], ...content }
}

const validBody = JSON.stringify({ name: 'Application' })

for (const type of [
  'application/json',
  ' application/json',
  '\t application/json \t',
  'APPLICATION/JSON',
  'application/json;charset=utf-8',
  'application/json ; charset="utf-8"; v=1',
]) {
  test(`accepts a body with Content-Type ${JSON.stringify(type)}`, async () => {
    assert.equal((await send(validBody, { type })).status, 201)
  })
}

for (const [type, description = `Content-Type ${JSON.stringify(type)}`] of [
  ['application/json x'],
  ['application/jsonx'],
  ['application/json, text/plain'],
  ['application/problem+json'],
  ['application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x'],
  ['text/plain'],
  ['*/*'],
  ['/'],
  [';'],
  ['\u00e9'],
  ['', 'an empty Content-Type'],
  [null, 'no Content-Type'],
  [`application/json${' '.repeat(8000)}x`, 'a Content-Type that contains 8,000 spaces'],
] as [string | null, string?][]) {
  test(`returns 415 for a body with ${description}`, async () => {
    assert.equal((await send(validBody, { type })).status, 415)
  })
}

for (const [name, body] of [
  ['an incomplete object', '{"name":"a"'],
  ['more than one JSON value', `${validBody}${validBody}`],
  ['a JavaScript object literal', "{name:'a'}"],
  ['a trailing comma', '{"name":"a",}'],
  ['the word undefined', 'undefined'],
  ['only whitespace', '  \n'],
  ['UTF-16 text', Buffer.from(validBody, 'utf16le')],
  [
    'bytes that are not valid UTF-8',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
  ],
  [
    'an unpaired surrogate encoded as UTF-8',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
  ['gzip-compressed JSON', gzipSync(validBody)],
  ['an unescaped control character in a string', '{"name":"a\nb"}'],
] as [string, string | Uint8Array][]) {
  test(`returns 400 for a body that contains ${name}`, async () =>
    assert.equal((await send(body)).status, 400))
}

test('accepts a body that starts with a byte order mark', async () => {
  assert.equal((await send(`\ufeff${validBody}`)).status, 201)
})

test('returns 422 and lists the missing required fields if there is no body', async () => {
  const { status, errors } = await send('', { type: null })
  assert.equal(status, 422)
  assert.deepEqual(errors, { name: ['is required.'] })
})

for (const body of ['null', '[]', '"name"', '1', 'true']) {
  test(`returns 422 for a JSON body that is not an object: ${body}`, async () => {
    const { status, message } = await send(body)
    assert.equal(status, 422)
    assert.match(message, /must be an object/)
  })
}

const limit = 1024 * 1024
const sized = (bytes: number) => JSON.stringify({ name: 'a', pad: 'x'.repeat(bytes - 21) })

test('accepts a body of exactly 1 MiB and returns 413 for a body one byte longer', async () => {
  assert.equal(Buffer.byteLength(sized(limit)), limit)
  assert.equal((await send(sized(limit))).status, 201)
  assert.equal((await send(sized(limit + 1))).status, 413)
})

test('returns 413 for a chunked body larger than 1 MiB', async () => {
  const headers = 'Transfer-Encoding: chunked\r\n'
  const chunk = 'x'.repeat(0x10000)
  const body = `${`10000\r\n${chunk}\r\n`.repeat(17)}0\r\n\r\n`
  assert.equal((await send(body, { headers })).status, 413)
})

test('returns 413 for an oversized body and closes the connection without handling the next request', async () => {
  const head = `Host: localhost\r\nAuthorization: Bearer ${tenant.workspaceKey}\r\n`
  const start = `POST /api/v1/applications HTTP/1.1\r\n${head}Content-Type: application/json\r\n`
  const next = `GET /api/v1/workspace HTTP/1.1\r\n${head}\r\n`
  const body = 'x'.repeat(8 * limit)
  for (const request of [
    `${start}Content-Length: ${body.length}\r\n\r\n${body}`,
    `${start}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    const { statuses, text, isClosed } = await sendRaw(service.port, [request + next])
    assert.deepEqual(statuses, [413])
    assert.match(text, /\r\nconnection: close\r\n/i)
    assert.equal(isClosed, true)
  }
})

test('returns 413 for a body larger than 32 KiB on an endpoint that requires no key', async () => {
  const token = (length: number) => JSON.stringify({ token: 'x', pad: 'x'.repeat(length - 22) })
  assert.equal(Buffer.byteLength(token(32 * 1024)), 32 * 1024)
  const path = '/auth/oidc/token'
  assert.equal((await send(token(32 * 1024), { path })).status, 422)
  const refused = await send(token(32 * 1024 + 1), { path })
  assert.equal(refused.status, 413)
  assert.equal(refused.message, 'The body is larger than 32 KiB. Send a smaller one.')
})

test('sends 100 Continue only for a request whose body it reads', async () => {
  const start = (path: string, key: string, length: number) =>
    `POST /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
  for (const [expected, head] of [
    [[401], start('/applications', 'nobody', 2)],
    [[404], start('/nowhere', tenant.workspaceKey, 2)],
    [[413], start('/applications', tenant.workspaceKey, limit + 1)],
    [[100], start('/applications', tenant.workspaceKey, 2)],
  ] as [number[], string][]) {
    const { statuses } = await sendRaw(service.port, [head], { maxResponses: 1 })
    assert.deepEqual(statuses, expected)
  }
})

test('closes the connection after a 413 response if the body does not end', async () => {
  const head = `Host: localhost\r\nAuthorization: Bearer ${tenant.workspaceKey}\r\n`
  const start = `POST /api/v1/applications HTTP/1.1\r\n${head}Content-Type: application/json\r\n`
  const chunk = `${(4 * limit).toString(16)}\r\n${'x'.repeat(4 * limit)}\r\n`
  const { isClosed } = await sendRaw(service.port, [
    `${start}Transfer-Encoding: chunked\r\n\r\n`,
    ...Array<string>(8).fill(chunk),
  ])
  assert.equal(isClosed, true)
})

test('returns 401 or 403 to callers without permission even if the body is invalid', async () => {
  const reader = await service.key(tenant.workspaceId, null, ['applications:read'])
  for (const [body, type] of [
    ['{', 'application/json'],
    [validBody, 'text/plain'],
    [sized(limit + 1), 'application/json'],
  ] as const) {
    assert.equal((await send(body, { type, key: 'nobody' })).status, 401)
    assert.equal((await send(body, { type, key: reader })).status, 403)
  }
})

test('ignores unknown fields regardless of their content', async () => {
  const { status } = await send(
    '{"name":"a","x":"\\u0000","y":{"\\ud800":["\\ud800"]},"__proto__":1,"constructor":{"a":1}}',
  )
  assert.equal(status, 201)
})

test('limits the number of errors for a huge list but still includes errors for other fields', async () => {
  const { status, errors = {} } = await send(JSON.stringify({ platforms: Array(300_000).fill(1), name: 1 }))
  assert.equal(status, 422)
  assert.ok(errors['name'] && errors['platforms'] && errors['platforms.0'])
  assert.ok(Object.keys(errors).length < 50)
})

for (const [method, status] of Object.entries({ OPTIONS: 405, TRACE: 405, PROPFIND: 404 })) {
  test(`returns ${status} with a message for ${method} requests`, async () => {
    assert.equal((await send('', { method, type: null })).status, status)
  })
}
