import assert from 'node:assert/strict'
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { acceptedEncoding, compressResponse } from './compression.ts'

describe('acceptedEncoding', () => {
  const cases = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br, gzip', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0', undefined],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br ; q=0.0 , gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['gzip;q=x', undefined],
    [['gzip', 'deflate'], 'gzip'],
  ] as const
  for (const [header, expected] of cases)
    test(`chooses ${expected ?? 'no encoding'} for ${JSON.stringify(header)}`, () => {
      assert.equal(acceptedEncoding(header as string | undefined, ['br', 'gzip']), expected)
    })
})

describe('compressed responses', () => {
  let service: Service
  let tenant: Tenant
  let list: string
  before(async () => {
    service = await startService()
    tenant = await service.tenant()
    list = `${service.url}/api/v1/applications/${tenant.applicationId}/streams`
    const key = tenant.applicationKey
    for (let n = 0; n < 10; n++) {
      const path = `/applications/${tenant.applicationId}/streams`
      const { status, text } = await service.call('POST', path, { key, body: { name: `stream ${n}` } })
      assert.equal(status, 201, text)
    }
  })
  after(() => service.close())

  /** Sends a request without decompressing the response, unlike fetch. */
  async function send(url: string, headers: Record<string, string> = {}, method = 'GET') {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request(
      url,
      { method, headers: { authorization: `Bearer ${tenant.applicationKey}`, ...headers } },
      resolve,
    )
      .on('error', reject)
      .end()
    const response = await promise
    return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
  }

  test('sends the same content as an uncompressed response, with a weak ETag', async () => {
    const plain = await send(list)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(plain.headers.vary, 'accept-encoding')
    const compressed = await send(list, { 'accept-encoding': 'gzip' })
    assert.equal(compressed.headers['content-encoding'], 'gzip')
    assert.equal(compressed.headers.vary, 'accept-encoding')
    assert.equal(compressed.headers.etag, `W/${plain.headers.etag}`)
    assert.equal(Number(compressed.headers['content-length']), compressed.bytes.length)
    assert.ok(compressed.bytes.length < plain.bytes.length / 2)
    assert.deepEqual(gunzipSync(compressed.bytes), plain.bytes)
  })

  test('returns 304 if If-None-Match contains either form of the ETag', async () => {
    const { headers } = await send(list, { 'accept-encoding': 'gzip' })
    const weak = headers.etag ?? ''
    for (const tag of [weak, weak.slice(2)]) {
      const unchanged = await send(list, { 'accept-encoding': 'gzip', 'if-none-match': tag })
      assert.deepEqual([unchanged.status, unchanged.bytes.length], [304, 0])
      assert.deepEqual([unchanged.headers.etag, unchanged.headers.vary], [weak, 'accept-encoding'])
      assert.equal(unchanged.headers['content-encoding'], undefined)
      assert.equal((await send(list, { 'if-none-match': tag })).headers.etag, weak.slice(2))
    }
  })

  test('returns the same headers for HEAD and GET', async () => {
    const accept = { 'accept-encoding': 'gzip' }
    const [head, get] = [await send(list, accept, 'HEAD'), await send(list, accept)]
    assert.equal(head.bytes.length, 0)
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
      assert.equal(head.headers[name], get.headers[name], name)
  })

  test('compresses only large responses to GET, because other responses may contain new secrets', async () => {
    const accept = { 'accept-encoding': 'gzip' }
    const small = await send(`${service.url}/api/v1/workspace`, accept)
    assert.deepEqual([small.status, small.headers['content-encoding']], [200, undefined])
    assert.equal(small.headers.vary, 'accept-encoding')
    const created = await service.call('POST', '/applications', {
      key: tenant.workspaceKey,
      body: { name: 'Another', description: 'long '.repeat(200) },
      headers: accept,
    })
    assert.ok(created.text.length > 1024)
    assert.deepEqual([created.status, created.headers.get('content-encoding')], [201, null])
  })

  for (const path of ['/api/v1/openapi.json', '/api/v1/docs'])
    test(`sends ${path} in the best encoding that the client accepts, with an ETag`, async () => {
      const plain = await send(`${service.url}${path}`)
      const tags = new Set([plain.headers.etag])
      for (const [encoding, decompress] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const accept = { 'accept-encoding': encoding === 'br' ? 'gzip, br' : 'gzip' }
        const { headers, bytes } = await send(`${service.url}${path}`, accept)
        assert.deepEqual([headers['content-encoding'], headers.vary], [encoding, 'accept-encoding'])
        assert.deepEqual(decompress(bytes), plain.bytes)
        assert.ok(bytes.length < plain.bytes.length / 8)
        const unchanged = await send(`${service.url}${path}`, {
          ...accept,
          'if-none-match': headers.etag ?? '',
        })
        assert.deepEqual([unchanged.status, unchanged.bytes.length], [304, 0])
        tags.add(headers.etag)
      }
      assert.equal(tags.size, 3)
    })
})

test('does not reveal through the response length whether a guess matches a secret', async () => {
  const secret = 'Tm90IGEgcmVhbCBzZWNyZXQ'
  const lengths = async (guess: (n: number) => string) => {
    const found = []
    for (let n = 0; n < 50; n++) {
      const filler = Array.from({ length: 60 }, (_, index) => `${index}-${n}`).join()
      found.push((await compressResponse(JSON.stringify({ secret, filler, guess: guess(n) }))).length)
    }
    return found
  }
  const right = await lengths(() => secret)
  const wrong = await lengths(() => 'QW5vdGhlciB3cm9uZyBvbmU')
  // A correct guess changes the length by about 20 bytes, and the random padding changes it by up to 100 bytes.
  assert.ok(Math.max(...right) > Math.min(...wrong) && Math.max(...wrong) > Math.min(...right))
})
