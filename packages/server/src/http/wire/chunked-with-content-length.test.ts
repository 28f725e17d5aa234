import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { folderOnly } from '../../../test/acceptance/test-storage.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { sendRaw } from '../../../test/raw-socket.ts'
import { requestUpload, verify } from '../../../test/uploading.ts'

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
  const requestedUpload = await requestUpload(service, tenant, {
    primary_file: { filename: 'a.bin', size_bytes: bytes.length },
  })
  const { pathname, search } = new URL(requestedUpload.primary_file.presigned_data.url)
  return { id: requestedUpload.pending_upload_id as string, target: `${pathname}${search}` }
}

/** Returns the request head that Java's HttpClient sends if the caller sets a length and passes a stream. */
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
  test(
    `stores the body of a chunked PUT with a Content-Length and closes the connection (${order})`,
    folderOnly,
    async () => {
      const bytes = randomBytes(20 * mebibyte)
      const { id, target } = await upload(bytes)
      const both = [`Content-Length: ${bytes.length}`, 'Transfer-encoding: chunked']
      const lengths = (order === 'Content-Length first' ? both : both.toReversed()).join('\r\n')
      const socket = connect({ port: service.port, host: '127.0.0.1' })
      socket.write(get())
      await new Promise((resolve) => socket.once('data', resolve))
      socket.write(head(target, lengths))
      socket.write(chunked(bytes))
      const response = await text(socket)
      assert.match(response, /^HTTP\/1\.1 200 OK\r\n/)
      assert.match(response, /\r\nconnection: close\r\n/i)
      assert.ok(response.includes(createHash('md5').update(bytes).digest('hex')))
      const verified = await verify(service, tenant, id)
      assert.equal(
        verified.body.build.primary_file.checksum_sha256,
        createHash('sha256').update(bytes).digest('hex'),
      )
    },
  )

test('rejects a chunked PUT with a Content-Length if the body is shorter than the signed size', async () => {
  const { target } = await upload(randomBytes(1000))
  const { statuses, isClosed } = await sendRaw(service.port, [
    head(target, 'Content-Length: 1000\r\nTransfer-Encoding: chunked'),
    chunked(randomBytes(999)),
  ])
  assert.deepEqual([statuses, isClosed], [[400], true])
})

test('rejects a chunked PUT with a Content-Length if more bytes follow the last chunk', async () => {
  const bytes = randomBytes(1000)
  const { target } = await upload(bytes)
  const { statuses, isClosed } = await sendRaw(service.port, [
    Buffer.concat([
      Buffer.from(head(target, 'Content-Length: 1000\r\nTransfer-Encoding: chunked')),
      chunked(bytes),
      Buffer.from(get()),
    ]),
  ])
  assert.deepEqual([statuses, isClosed], [[400], true])
})

for (const [fault, lengths] of Object.entries({
  'two Content-Length headers and chunked encoding':
    'Content-Length: 1000\r\nContent-Length: 1000\r\nTransfer-Encoding: chunked',
  'an invalid Content-Length and chunked encoding': 'Content-Length: 1e3\r\nTransfer-Encoding: chunked',
  'a Content-Length and two transfer encodings': 'Content-Length: 1000\r\nTransfer-Encoding: gzip, chunked',
  'a Content-Length and an unknown transfer encoding': 'Content-Length: 1000\r\nTransfer-Encoding: xchunked',
}))
  test(`rejects a PUT with ${fault}`, async () => {
    const bytes = randomBytes(1000)
    const { id, target } = await upload(bytes)
    const { statuses, isClosed } = await sendRaw(service.port, [head(target, lengths), chunked(bytes)])
    assert.deepEqual([statuses, isClosed], [[400], true])
    assert.equal((await verify(service, tenant, id)).status, 400)
  })

test('rejects a chunked API request with a Content-Length', async () => {
  const { statuses, isClosed } = await sendRaw(service.port, [
    head('/api/v1/upload/verify', 'Content-Length: 2\r\nTransfer-Encoding: chunked'),
    chunked(Buffer.from('{}')),
  ])
  assert.deepEqual([statuses, isClosed], [[400], true])
})
