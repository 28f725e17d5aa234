import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { httpFetch } from './http-fetch.ts'

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('sends the method, headers and body', async (t) => {
  const url = await serve(t, async (request, response) => {
    const body = (await request.toArray()).join('')
    const { method, headers } = request
    response.setHeader('x-list', ['a', 'b'])
    response.end(
      JSON.stringify({ method, type: headers['content-type'], length: headers['content-length'], body }),
    )
  })
  const bodies: [string | Buffer, string, string][] = [
    ['{"name":"Ä"}', '13', '{"name":"Ä"}'],
    [Buffer.from('ab'), '2', 'ab'],
  ]
  for (const [body, length, text] of bodies) {
    const headers = { 'content-type': 'application/json' }
    for (const sent of [headers, new Headers(headers)]) {
      const response = await httpFetch(url, { method: 'POST', headers: sent, body })
      assert.deepEqual(
        [response.status, response.ok, response.headers.get('X-List'), response.headers.get('x-none')],
        [200, true, 'a, b', null],
      )
      assert.deepEqual(await response.json(), {
        method: 'POST',
        type: 'application/json',
        length,
        body: text,
      })
    }
  }
})

test('decompresses responses', async (t) => {
  const bytes = Buffer.from('text '.repeat(10_000))
  const url = await serve(t, (request, response) => {
    assert.equal(request.headers['accept-encoding'], 'gzip')
    response.setHeader('content-encoding', 'gzip').end(gzipSync(bytes))
  })
  assert.equal(await (await httpFetch(url)).text(), bytes.toString())
  assert.deepEqual(Buffer.from(await (await httpFetch(url)).arrayBuffer()), bytes)
  const chunks = await Array.fromAsync((await httpFetch(url)).body ?? [])
  assert.deepEqual(Buffer.concat(chunks), bytes)
})

test('rejects when the response is interrupted', async (t) => {
  for (const encoding of ['gzip', 'identity']) {
    const url = await serve(t, (_request, response) => {
      response.setHeader('content-encoding', encoding)
      response.write(gzipSync('text').subarray(0, 10), () => response.destroy())
    })
    const response = await httpFetch(url)
    await assert.rejects(response.text(), { code: 'ECONNRESET' })
  }
})

test('does not follow redirects', async (t) => {
  const url = await serve(t, (_request, response) => response.writeHead(302, { location: '/other' }).end())
  const { status, ok, headers } = await httpFetch(url, { redirect: 'manual' })
  assert.deepEqual([status, ok, headers.get('location')], [302, false, '/other'])
})

test('stops when the signal is aborted, before the response and while it is read', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/slow') response.write('start')
  })
  const before = new AbortController()
  const waiting = httpFetch(url, { signal: before.signal })
  before.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
  const during = new AbortController()
  const response = await httpFetch(`${url}slow`, { signal: during.signal })
  const reading = response.text()
  during.abort()
  await assert.rejects(reading, { name: 'AbortError' })
})
