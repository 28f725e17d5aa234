import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../test/harness.ts'
import { say } from '../../test/raw-socket.ts'
import { requested, verify } from '../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const mebibyte = 1024 * 1024
const get = () =>
  `GET /api/v1/workspace HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tenant.workspaceKey}\r\n\r\n`

async function upload(bytes: Buffer) {
  const answer = await requested(service, tenant, {
    primary_file: { filename: 'a.bin', size_bytes: bytes.length },
  })
  const { pathname, search } = new URL(answer.primary_file.presigned_data.url)
  return { id: answer.pending_upload_id as string, target: `${pathname}${search}` }
}

/** As Java's HttpClient writes it where the caller sets a length and gives a stream. */
const head = (target: string, lengths: string) =>
  [
    `PUT ${target} HTTP/1.1`,
    'Connection: Upgrade, HTTP2-Settings',
    'Host: localhost',
    'HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
    'Upgrade: h2c',
    'User-Agent: Java-http-client/17.0.15',
    lengths,
    'Content-Type: application/octet-stream',
    '\r\n',
  ].join('\r\n')

function chunked(bytes: Buffer, size = 16 * 1024): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size)
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])
}

for (const order of ['Content-Length first', 'Transfer-Encoding first'])
  test(`a PUT in chunks that names a length too, ${order}, on a connection in use, is stored and ends it`, async () => {
    const bytes = randomBytes(20 * mebibyte)
    const { id, target } = await upload(bytes)
    const both = [`Content-Length: ${bytes.length}`, 'Transfer-encoding: chunked']
    const lengths = (order === 'Content-Length first' ? both : both.toReversed()).join('\r\n')
    const socket = connect({ port: service.port, host: '127.0.0.1' })
    socket.write(get())
    await new Promise((resolve) => socket.once('data', resolve))
    socket.write(head(target, lengths))
    socket.write(chunked(bytes))
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
    assert.match(answer, /\r\nconnection: close\r\n/i)
    assert.ok(answer.includes(createHash('md5').update(bytes).digest('hex')))
    const verified = await verify(service, tenant, id)
    assert.equal(
      verified.body.build.primary_file.checksum_sha256,
      createHash('sha256').update(bytes).digest('hex'),
    )
  })

test('a PUT in chunks that names a length too, fewer bytes than signed, refused', async () => {
  const { target } = await upload(randomBytes(1000))
  const { statuses, isClosed } = await say(service.port, [
    head(target, 'Content-Length: 1000\r\nTransfer-Encoding: chunked'),
    chunked(randomBytes(999)),
  ])
  assert.deepEqual([statuses, isClosed], [[400], true])
})

test('a PUT in chunks that names a length too, bytes after its end, refused with it', async () => {
  const bytes = randomBytes(1000)
  const { target } = await upload(bytes)
  const { statuses, isClosed } = await say(service.port, [
    Buffer.concat([
      Buffer.from(head(target, 'Content-Length: 1000\r\nTransfer-Encoding: chunked')),
      chunked(bytes),
      Buffer.from(get()),
    ]),
  ])
  assert.deepEqual([statuses, isClosed], [[400], true])
})

for (const [what, lengths] of Object.entries({
  'two lengths': 'Content-Length: 1000\r\nContent-Length: 1000\r\nTransfer-Encoding: chunked',
  'a length that is none': 'Content-Length: 1e3\r\nTransfer-Encoding: chunked',
  'two encodings': 'Content-Length: 1000\r\nTransfer-Encoding: gzip, chunked',
  'an encoding nobody knows': 'Content-Length: 1000\r\nTransfer-Encoding: xchunked',
}))
  test(`a PUT with ${what}, refused`, async () => {
    const bytes = randomBytes(1000)
    const { id, target } = await upload(bytes)
    const { statuses, isClosed } = await say(service.port, [head(target, lengths), chunked(bytes)])
    assert.deepEqual([statuses, isClosed], [[400], true])
    assert.equal((await verify(service, tenant, id)).status, 400)
  })

test('a request of the API in chunks that names a length too, refused', async () => {
  const { statuses, isClosed } = await say(service.port, [
    head('/api/v1/upload/verify', 'Content-Length: 2\r\nTransfer-Encoding: chunked'),
    chunked(Buffer.from('{}')),
  ])
  assert.deepEqual([statuses, isClosed], [[400], true])
})
