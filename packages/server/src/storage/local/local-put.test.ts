import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { until } from '../../../test/until.ts'
import { fileOf, md5, put } from '../driver.suite.ts'
import { collectLog, openUpload } from './local-driver.fixture.ts'
import { sendRaw } from './raw-http.fixture.ts'

describe('PUT to the local storage endpoint', { concurrency: 4 }, () => {
  test('accepts a chunked body without a Content-Length', async (t) => {
    const bytes = randomBytes(400_000)
    const { url, staged } = await openUpload(t, bytes)
    const body = Readable.toWeb(Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]))
    const response = await fetch(url, { method: 'PUT', body, duplex: 'half' })
    assert.equal(response.status, 200)
    assert.deepEqual(await staged(), [md5(bytes)])
  })

  test('rejects a chunked body that is shorter or longer than the signed size and stores none of it', async (t) => {
    const bytes = randomBytes(300_000)
    const { target, origin, staged, temporary } = await openUpload(t, bytes)
    for (const [size, status, code] of [
      [299_999, 400, 'storage.too_short'],
      [300_001, 413, 'storage.too_long'],
      [0, 400, 'storage.too_short'],
    ] as const) {
      const body = size === 0 ? '' : `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
      const response = await sendRaw(
        origin,
        `PUT ${target} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`,
      )
      assert.equal(response.status, status)
      assert.equal((JSON.parse(response.body) as { code: string }).code, code)
    }
    assert.deepEqual(await staged(), [])
    assert.deepEqual(await temporary(), [])
  })

  test('returns 413 for an oversized chunk without reading the rest of the body', async (t) => {
    const { target, origin, server } = await openUpload(t, randomBytes(1000))
    let received = 0
    server.on('connection', (socket) => void socket.on('close', () => (received = socket.bytesRead)))
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.on('error', () => undefined)
    const response = new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(chunk.toString())),
    )
    socket.write(`PUT ${target} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n10000000\r\n`)
    socket.write(Buffer.alloc(100_000))
    assert.match(await response, /^HTTP\/1\.1 413 /)
    socket.destroy()
    await until('the connection to be closed', async () => received > 0)
    assert.ok(received < 1_000_000)
  })

  test('rejects bytes that do not match Content-MD5, and rejects malformed Content-MD5 values', async (t) => {
    const bytes = randomBytes(300_000)
    const { url, staged, temporary } = await openUpload(t, bytes)
    const base64 = (text: string) => Buffer.from(text, 'hex').toString('base64')
    for (const [contentMd5, code] of [
      [base64(md5(randomBytes(8))), 'storage.md5_mismatch'],
      [md5(bytes), 'storage.invalid_md5'],
      ['', 'storage.invalid_md5'],
    ] as const) {
      const response = await put(url, bytes, { 'content-md5': contentMd5 })
      assert.equal(response.status, 400)
      assert.equal(((await response.json()) as { code: string }).code, code)
    }
    assert.deepEqual([await staged(), await temporary()], [[], []])
    assert.equal((await put(url, bytes, { 'content-md5': base64(md5(bytes)) })).status, 200)
    assert.deepEqual(await staged(), [md5(bytes)])
  })

  test('limits concurrent PUTs per file and per caller', async (t) => {
    const bytes = randomBytes(1000)
    const { origin, driver, temporary } = await openUpload(t, bytes, {
      openPutLimits: { maxPerFile: 2, maxPerCaller: 3 },
    })
    const sign = async (key: string, callerId: string) =>
      (await driver.signPut({ ...fileOf(bytes), key }, { expiresInSeconds: 60, callerId })).url
    const [first, second] = [randomUUID(), randomUUID()]
    const open = async (url: string) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      const before = (await temporary()).length
      socket.write(`PUT ${url.slice(origin.length)} HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n`)
      await until('the PUT to begin', async () => (await temporary()).length > before)
      return socket
    }
    const sockets = [await open(await sign(first, 'a')), await open(await sign(first, 'a'))]
    const refused = await put(await sign(first, 'b'), bytes)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '2')
    assert.equal(((await refused.json()) as { code: string }).code, 'storage.too_many_uploads')
    sockets.push(await open(await sign(second, 'a')))
    assert.equal((await put(await sign(second, 'a'), bytes)).status, 429)
    assert.equal((await put(await sign(second, 'b'), bytes)).status, 200)
    for (const socket of sockets) socket.destroy()
    await until('the PUTs to end', async () => (await temporary()).length === 0)
    assert.equal((await put(await sign(first, 'a'), bytes)).status, 200)
  })

  test('accepts 64 concurrent PUTs for parts of one file', async (t) => {
    const { driver } = await openUpload(t, randomBytes(1))
    const file = fileOf(randomBytes(64_000))
    const responses = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const part = { multipartId: '', partNumber: index + 1, sizeBytes: 1000, expiresInSeconds: 60 }
        return put(await driver.signPart(file, { ...part, callerId: 'a' }), randomBytes(1000))
      }),
    )
    assert.ok(responses.every(({ status }) => status === 200))
    assert.equal((await driver.listStaged(file.key, '')).length, 64)
  })

  test('logs nothing when clients disconnect during an upload', async (t) => {
    const { log, lines } = collectLog()
    const { target, origin, temporary } = await openUpload(t, randomBytes(3_000_000), { log })
    for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(`PUT ${target} HTTP/1.1\r\nhost: a\r\ncontent-length: 3000000\r\n\r\n`)
      socket.write(randomBytes(1_500_000))
      await until('bytes to arrive', async () => (await temporary()).length === 1)
      socket[end]()
      await until('tmp/ to be empty', async () => (await temporary()).length === 0)
    }
    assert.deepEqual(lines(), [])
  })

  const heads: [string, string, number][] = [
    ['no Content-Length or Transfer-Encoding', '', 400],
    ['a Content-Length below the signed size', 'content-length: 999', 400],
    ['a Content-Length above the signed size', 'content-length: 1001', 400],
    ['a Content-Length of zero', 'content-length: 0', 400],
    ['a negative Content-Length', 'content-length: -1', 400],
    ['a Content-Length in scientific notation', 'content-length: 1e3', 400],
    ['two Content-Length headers', 'content-length: 1000\r\ncontent-length: 5', 400],
    ['both a Content-Length and chunked encoding', 'content-length: 1000\r\ntransfer-encoding: chunked', 400],
    ['an unknown transfer encoding', 'transfer-encoding: gzip', 400],
    ['malformed chunks', 'transfer-encoding: chunked\r\n\r\nzz\r\n', 400],
    ['17 KB of headers', `x-long: ${'x'.repeat(17_000)}`, 431],
  ]
  for (const [description, head, status] of heads) {
    test(`returns ${status} for a request with ${description}`, async (t) => {
      const { target, origin, temporary, staged } = await openUpload(t, randomBytes(1000))
      assert.equal(
        (await sendRaw(origin, `PUT ${target} HTTP/1.1\r\nhost: a\r\n${head}\r\n\r\n`)).status,
        status,
      )
      await until('tmp/ to be empty', async () => (await temporary()).length === 0)
      assert.deepEqual(await staged(), [])
    })
  }

  test('ignores S3 headers, malformed content headers and extra query parameters', async (t) => {
    const bytes = randomBytes(1000)
    const { url, staged } = await openUpload(t, bytes)
    const headers = {
      'x-amz-acl': 'public-read',
      'content-type': 'application/json x',
      'content-disposition': '\u00ff"',
      'x-amz-meta-a': 'b',
      cookie: 'a=b',
    }
    assert.equal((await put(`${url}&utm_source=mail`, bytes, headers)).status, 200)
    assert.deepEqual(await staged(), [md5(bytes)])
  })

  test('accepts or rejects an upload with Expect: 100-continue before the client sends the body', async (t) => {
    const bytes = randomBytes(1000)
    const { url, target, origin, driver, file, staged } = await openUpload(t, bytes)
    const sendExpecting = (path: string) =>
      sendRaw(
        origin,
        `PUT ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n`,
      )
    assert.equal((await sendExpecting(target.replace('signature=', 'signature=x'))).status, 403)

    const status = new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(url, {
        method: 'PUT',
        headers: { 'content-length': 1000, expect: '100-continue' },
      })
      request
        .on('continue', () => request.end(bytes))
        .on('response', (response) => resolve(response.statusCode))
        .on('error', reject)
      request.flushHeaders()
    })
    assert.equal(await status, 200)
    await driver.seal(file.key, '', await driver.listStaged(file.key, ''))
    assert.equal((await sendExpecting(target)).status, 409)
    assert.deepEqual(await staged(), [md5(bytes)])
  })

  test('deletes the partial file when a client disconnects during an upload', async (t) => {
    const { target, origin, temporary, staged } = await openUpload(t, randomBytes(3_000_000))
    for (const head of ['content-length: 3000000\r\n\r\n', 'transfer-encoding: chunked\r\n\r\n2dc6c0\r\n']) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(`PUT ${target} HTTP/1.1\r\nhost: a\r\n${head}`)
      socket.write(randomBytes(1_500_000))
      await until('bytes to arrive', async () => (await temporary()).length === 1)
      socket.destroy()
      await until('tmp/ to be empty', async () => (await temporary()).length === 0)
    }
    assert.deepEqual(await staged(), [])
  })

  test('returns 408 to a stalled client but accepts a slow upload that exceeds the minimum rate', async (t) => {
    const bytes = randomBytes(2000)
    const { target, origin, temporary, staged } = await openUpload(t, bytes, {
      stallLimit: { windowSeconds: 0.12, minBytesPerSecond: 1000 },
    })
    const head = `PUT ${target} HTTP/1.1\r\nhost: a\r\ncontent-length: 2000\r\n\r\n`
    assert.equal((await sendRaw(origin, head)).status, 408)
    await until('tmp/ to be empty', async () => (await temporary()).length === 0)
    assert.deepEqual(await staged(), [])

    const status = new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(
        origin + target,
        { method: 'PUT', headers: { 'content-length': 2000 } },
        (response) => resolve(response.statusCode),
      )
      request.on('error', reject)
      let sent = 0
      const timer = setInterval(() => {
        request.write(bytes.subarray(sent, (sent += 40)))
        if (sent === 2000) request.end(() => clearInterval(timer))
      }, 10)
    })
    assert.equal(await status, 200)
    assert.deepEqual(await staged(), [md5(bytes)])
  })
})
