import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { until } from '../../../test/until.ts'
import { md5, sha256 } from '../driver.suite.ts'
import { readSendQueues } from '../transfer/send-queues.ts'
import { countOpenFiles, download, openDownload } from './local-driver.fixture.ts'
import { sendRaw } from './raw-http.fixture.ts'

describe('GET from the local storage endpoint', { concurrency: 4 }, () => {
  test('serves every download as an attachment with headers that prevent content sniffing and script execution', async (t) => {
    const { url, whole } = await openDownload(t, [100_000])
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(url, { method })
      assert.equal(response.status, 200)
      const headers = Object.fromEntries(response.headers)
      for (const name of ['date', 'connection', 'keep-alive']) delete headers[name]
      assert.deepEqual(headers, {
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
        'access-control-expose-headers':
          'ETag, Content-Length, Content-Range, Content-Disposition, Accept-Ranges',
        'cache-control': 'private, no-transform',
        'content-disposition': `attachment; filename="gr__e _1_.apk"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22.apk`,
        'content-length': '100000',
        'content-security-policy': 'sandbox',
        'content-type': 'application/vnd.android.package-archive',
        'cross-origin-resource-policy': 'cross-origin',
        etag: `"${sha256(whole)}"`,
        'x-content-type-options': 'nosniff',
      })
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), method === 'GET' ? whole : Buffer.alloc(0))
    }
  })

  test('returns the correct bytes for any range of an object with several parts', async (t) => {
    const { url, whole } = await openDownload(t, [70_000, 1, 65_536, 3, 40_000])
    const position = fc.oneof(
      fc.nat(whole.length + 10),
      fc.constantFrom(0, 69_999, 70_000, 70_001, 135_537, 135_540),
    )
    const ranges = fc.oneof(
      fc.tuple(position, position).map(([a, b]) => [`${a}-${b}`, a, Math.min(b, whole.length - 1)] as const),
      position.map((a) => [`${a}-`, a, whole.length - 1] as const),
      position.map(
        (n) => [`-${n}`, n === 0 ? whole.length : Math.max(whole.length - n, 0), whole.length - 1] as const,
      ),
    )
    await fc.assert(
      fc.asyncProperty(ranges, async ([range, start, end]) => {
        const response = await fetch(url, { headers: { range: `bytes=${range}` } })
        const bytes = Buffer.from(await response.arrayBuffer())
        const isBackwards = /^(\d+)-(\d+)$/.test(range) && Number(range.split('-')[1]) < start
        if (start >= whole.length && !isBackwards) {
          assert.equal(response.status, 416)
          assert.equal(response.headers.get('content-range'), `bytes */${whole.length}`)
        } else if (isBackwards) {
          assert.equal(response.status, 200)
          assert.equal(md5(bytes), md5(whole))
        } else {
          assert.equal(response.status, 206)
          assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/${whole.length}`)
          assert.equal(response.headers.get('content-length'), String(end - start + 1))
          assert.equal(md5(bytes), md5(whole.subarray(start, end + 1)))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('honors If-Range, If-None-Match and If-Match', async (t) => {
    const { url, whole } = await openDownload(t, [1000, 1000])
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
    assert.match(etag, /^"[0-9a-f]{64}"$/)
    const table: [Record<string, string>, number][] = [
      [{ range: 'bytes=0-9', 'if-range': etag }, 206],
      [{ range: 'bytes=0-9', 'if-range': '"other"' }, 200],
      [{ range: 'bytes=0-9', 'if-range': `W/${etag}` }, 200],
      [{ range: 'bytes=0-9', 'if-range': 'Sat, 21 Nov 2026 03:00:00 GMT' }, 200],
      [{ range: 'bytes=9999-', 'if-range': '"other"' }, 200],
      [{ range: 'bytes=0-1,4-5' }, 206],
      [{ range: 'bytes=0-1,4-5', 'if-range': etag }, 206],
      [{ range: 'bytes=0-1,4-5', 'if-range': '"other"' }, 200],
      [{ range: 'bytes=9999-,-0' }, 416],
      [{ range: 'bytes=9999-,-0', 'if-none-match': etag }, 304],
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `"other", W/${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '"other"' }, 412],
    ]
    for (const [headers, status] of table) {
      const response = await fetch(url, { headers })
      assert.equal(response.status, status, JSON.stringify(headers))
      const bytes = await response.arrayBuffer()
      if (status === 200) assert.equal(bytes.byteLength, whole.length)
    }
    assert.equal((await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-9' } })).status, 200)
  })

  test('returns a 4xx status for invalid signatures, unknown objects and unsupported methods', async (t) => {
    const { origin, target, driver } = await openDownload(t, [10])
    const unknown = (await driver.signGet({ key: randomUUID() }, download)).slice(origin.length)
    const table: [string, string, number][] = [
      ['GET', `${target}x`, 403],
      ['GET', target.replace('type=', 'type=text%2Fhtml&type='), 403],
      ['GET', target.replaceAll('&', ';'), 403],
      ['GET', '/storage/', 403],
      ['GET', '/storage/v1/../../etc/passwd', 403],
      ['GET', '/storage/v1/%2e%2e/%2e%2e/etc/passwd?%', 403],
      ['GET', `/storage/v1/${'a'.repeat(10_000)}`, 403],
      ['GET', `${target}\0`, 400],
      ['GET', unknown, 404],
      ['HEAD', unknown, 404],
      ['PUT', target, 403],
      ['DELETE', target, 405],
      ['POST', target, 405],
      ['TRACE', target, 405],
      ['PROPFIND', target, 405],
    ]
    for (const [method, path, status] of table) {
      const response = await sendRaw(origin, `${method} ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
      assert.equal(response.status, status, `${method} ${path.slice(0, 80)}`)
      if (status !== 400 && method !== 'HEAD')
        assert.equal(typeof (JSON.parse(response.body) as { message: unknown }).message, 'string')
      if (status === 405) assert.equal(response.headers['allow'], 'GET, HEAD, PUT, OPTIONS')
    }
  })

  test('allows CORS preflight requests from any origin', async (t) => {
    const { origin, target } = await openDownload(t, [10])
    const preflight = (headers: string) =>
      sendRaw(origin, `OPTIONS ${target} HTTP/1.1\r\nhost: a\r\norigin: https://x.example\r\n${headers}\r\n`)
    const response = await preflight(
      'access-control-request-method: PUT\r\naccess-control-request-headers: content-type,x-amz-acl\r\n',
    )
    assert.equal(response.status, 204)
    assert.equal(response.headers['access-control-allow-origin'], '*')
    assert.equal(response.headers['access-control-allow-headers'], 'content-type,x-amz-acl')
    assert.match(response.headers['access-control-allow-methods'] ?? '', /PUT/)
    assert.equal(response.headers['access-control-allow-credentials'], undefined)
    assert.equal(
      (await preflight('access-control-request-headers: ???\r\n')).headers['access-control-allow-headers'],
      '*',
    )
  })

  test('closes the file when a client disconnects during a download', async (t) => {
    const { origin, target, directory } = await openDownload(t, [30_000_000])
    const clients = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = connect(Number(new URL(origin).port), '127.0.0.1')
        socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`)
        await new Promise((resolve) => socket.once('data', resolve))
        socket.pause()
        return socket
      }),
    )
    assert.equal(await countOpenFiles(directory), 10)
    for (const socket of clients) socket.destroy()
    await until('all files to be closed', async () => (await countOpenFiles(directory)) === 0)
  })

  test('disconnects a client that stops reading but not a client that reads slowly', async (t) => {
    const windowSeconds = 0.2
    const { origin, url, target, directory, whole } = await openDownload(t, [20_000_000], {
      stallLimit: { windowSeconds, minBytesPerSecond: 1 },
    })
    const stalled = connect(Number(new URL(origin).port), '127.0.0.1')
    stalled.on('error', () => undefined)
    stalled.write(`GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`)
    await new Promise((resolve) => stalled.once('data', resolve))
    stalled.pause()
    await until('its file to be closed', async () => (await countOpenFiles(directory)) === 0)
    stalled.destroy()

    // A pause of this process that is longer than the limit also disconnects a client that reads slowly.
    const readSlowly = async (): Promise<Buffer | 'paused'> => {
      const chunks: Uint8Array[] = []
      let longestMs = 0
      let readAt = performance.now()
      try {
        const { body } = await fetch(url)
        assert.ok(body)
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          chunks.push(chunk)
          if (chunks.length % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
          longestMs = Math.max(longestMs, performance.now() - readAt)
          readAt = performance.now()
        }
      } catch (error) {
        if (Math.max(longestMs, performance.now() - readAt) > windowSeconds * 500) return 'paused'
        throw error
      }
      return Buffer.concat(chunks)
    }
    let read = await readSlowly()
    while (read === 'paused') read = await readSlowly()
    assert.equal(md5(read), md5(whole))
  })

  test('sends little to many clients that do not read, and everything to a client that reads', async (t) => {
    const { origin, url, target, whole } = await openDownload(t, [8_000_000])
    const clients = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause()
        t.after(() => socket.destroy())
        await once(socket, 'connect')
        return socket
      }),
    )
    for (const socket of clients) socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`)
    const ports = new Set(clients.map(({ localPort }) => localPort))
    const queuedBytes = async () =>
      [...(await readSendQueues())]
        .filter(([key]) => ports.has(Number(key.split('-')[2])))
        .map(([, size]) => size)
    await until('a part of the file to be sent to all', async () => (await queuedBytes()).length === 100)

    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    assert.equal(md5(bytes), md5(whole))
    const unlimited = (await queuedBytes()).filter((size) => size > 300_000)
    assert.ok(unlimited.length <= 64, `${unlimited.length} downloads were not limited`)
  })

  test('delegates only single-segment downloads to the reverse proxy with X-Accel-Redirect', async (t) => {
    const { url, object } = await openDownload(t, [1000], { accelRedirectPrefix: '/internal/' })
    const response = await fetch(url)
    const [segment] = object.segments
    assert.equal(
      response.headers.get('x-accel-redirect'),
      `/internal/objects/${object.key.slice(-2)}/${object.key}/${segment?.name ?? ''}`,
    )
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment/)
    const ranges = await fetch(url, { headers: { range: 'bytes=0-1,5-6' } })
    assert.deepEqual([ranges.status, ranges.headers.get('x-accel-redirect')], [206, null])
    await ranges.body?.cancel()
    const several = await openDownload(t, [1000, 1000], { accelRedirectPrefix: '/internal/' })
    assert.equal((await (await fetch(several.url)).arrayBuffer()).byteLength, 2000)
  })

  test('returns 503 with Retry-After when the manifest cannot be read', async (t) => {
    const { url } = await openDownload(t, [10], {
      findObject: () =>
        Promise.reject(
          Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
        ),
    })
    const response = await fetch(url)
    assert.equal(response.status, 503)
    assert.ok(response.headers.get('retry-after'))
  })
})
