import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startService, type Service, type Tenant } from '../../test/harness.ts'
import { say } from '../../test/raw-socket.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

type Head = { method?: string; path?: string; headers?: string; type?: string | null; key?: string }

/** One request as it goes over the wire; the body is given in bytes. */
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
  const said = await say(service.port, [Buffer.concat([Buffer.from(lines.join(''), 'latin1'), bytes])], {
    answers: 1,
  })
  assert.equal(said.statuses.length, 1, said.text)
  const answer = JSON.parse(said.body) as { message: string; errors?: Record<string, string[]> }
  assert.equal(typeof answer.message, 'string')
  return { status: said.statuses[0], ...answer }
}

const good = JSON.stringify({ name: 'Application' })

for (const type of [
  'application/json',
  ' application/json',
  '\t application/json \t',
  'APPLICATION/JSON',
  'application/json;charset=utf-8',
  'application/json ; charset="utf-8"; v=1',
]) {
  test(`a body as ${JSON.stringify(type)}, it is taken`, async () => {
    assert.equal((await send(good, { type })).status, 201)
  })
}

for (const type of [
  'application/json x',
  'application/jsonx',
  'application/json, text/plain',
  'application/problem+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  '*/*',
  '/',
  ';',
  '\u00e9',
  '',
  null,
  `application/json${' '.repeat(8000)}x`,
]) {
  test(`a body as ${JSON.stringify(type)?.slice(0, 60)}, 415`, async () => {
    assert.equal((await send(good, { type })).status, 415)
  })
}

for (const [name, body] of [
  ['half an object', '{"name":"a"'],
  ['more than one value', `${good}${good}`],
  ['JavaScript, not JSON', "{name:'a'}"],
  ['a comma too many', '{"name":"a",}'],
  ['no value of JSON', 'undefined'],
  ['blanks alone', '  \n'],
  ['UTF-16', Buffer.from(good, 'utf16le')],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
  ],
  [
    'half a surrogate pair as bytes',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
  ['compressed bytes', gzipSync(good)],
  ['a control character in a text', '{"name":"a\nb"}'],
] as [string, string | Uint8Array][]) {
  test(`a body of ${name}, 400`, async () => assert.equal((await send(body)).status, 400))
}

test('a byte order mark before the body, it is taken', async () => {
  assert.equal((await send(`\ufeff${good}`)).status, 201)
})

test('no body, 422 names what is required', async () => {
  const { status, errors } = await send('', { type: null })
  assert.equal(status, 422)
  assert.deepEqual(errors, { name: ['is required.'] })
})

for (const body of ['null', '[]', '"name"', '1', 'true']) {
  test(`a body that is ${body}, 422`, async () => {
    const { status, message } = await send(body)
    assert.equal(status, 422)
    assert.match(message, /must be an object/)
  })
}

const limit = 1024 * 1024
const sized = (bytes: number) => JSON.stringify({ name: 'a', pad: 'x'.repeat(bytes - 21) })

test('a body of exactly 1 MiB, it is taken; one byte more, 413', async () => {
  assert.equal(Buffer.byteLength(sized(limit)), limit)
  assert.equal((await send(sized(limit))).status, 201)
  assert.equal((await send(sized(limit + 1))).status, 413)
})

test('a body in chunks of more than 1 MiB, 413', async () => {
  const headers = 'Transfer-Encoding: chunked\r\n'
  const chunk = 'x'.repeat(0x10000)
  const body = `${`10000\r\n${chunk}\r\n`.repeat(17)}0\r\n\r\n`
  assert.equal((await send(body, { headers })).status, 413)
})

test('a body far too large, the 413 arrives also at clients that send all of it first, and the connection goes on', async () => {
  const head = `Host: localhost\r\nAuthorization: Bearer ${tenant.workspaceKey}\r\n`
  const start = `POST /api/v1/applications HTTP/1.1\r\n${head}Content-Type: application/json\r\n`
  const next = `GET /api/v1/workspace HTTP/1.1\r\n${head}\r\n`
  const body = 'x'.repeat(8 * limit)
  for (const request of [
    `${start}Content-Length: ${body.length}\r\n\r\n${body}`,
    `${start}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    const { statuses } = await say(service.port, [request + next], { answers: 2 })
    assert.deepEqual(statuses, [413, 200])
  }
})

test('a body without end, 413 and the connection ends', async () => {
  const head = `Host: localhost\r\nAuthorization: Bearer ${tenant.workspaceKey}\r\n`
  const start = `POST /api/v1/applications HTTP/1.1\r\n${head}Content-Type: application/json\r\n`
  const chunk = `${(4 * limit).toString(16)}\r\n${'x'.repeat(4 * limit)}\r\n`
  const { isClosed } = await say(service.port, [
    `${start}Transfer-Encoding: chunked\r\n\r\n`,
    ...Array<string>(8).fill(chunk),
  ])
  assert.equal(isClosed, true)
})

test('a caller who may not send it, no word about the body', async () => {
  const reader = await service.key(tenant.workspaceId, null, ['applications:read'])
  for (const [body, type] of [
    ['{', 'application/json'],
    [good, 'text/plain'],
    [sized(limit + 1), 'application/json'],
  ] as const) {
    assert.equal((await send(body, { type, key: 'nobody' })).status, 401)
    assert.equal((await send(body, { type, key: reader })).status, 403)
  }
})

test('fields nobody asked for, ignored whatever is in them', async () => {
  const { status } = await send(
    '{"name":"a","x":"\\u0000","y":{"\\ud800":["\\ud800"]},"__proto__":1,"constructor":{"a":1}}',
  )
  assert.equal(status, 201)
})

test('a list of very many wrong entries, 422 speaks of some of them and of the other fields too', async () => {
  const { status, errors = {} } = await send(JSON.stringify({ platforms: Array(300_000).fill(1), name: 1 }))
  assert.equal(status, 422)
  assert.ok(errors['name'] && errors['platforms'] && errors['platforms.0'])
  assert.ok(Object.keys(errors).length < 50)
})

for (const [method, status] of Object.entries({ OPTIONS: 405, TRACE: 405, PROPFIND: 404 })) {
  test(`${method}, which no path takes, ${status} in words`, async () => {
    assert.equal((await send('', { method, type: null })).status, status)
  })
}
