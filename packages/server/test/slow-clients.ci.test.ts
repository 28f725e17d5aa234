import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { createEdgeServer } from '../src/http/edge-server.ts'
import { storesInS3 } from './acceptance/test-storage.ts'
import { startService, type Service, type Tenant } from './harness.ts'
import { startStopwatch } from './stopwatch.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService({
    environment: { QUAYSIDE_RATE_LIMIT: '1', QUAYSIDE_BOOTSTRAP_RATE_LIMIT: '0' },
  })
  tenant = await service.tenant()
})
after(() => service.close())

/** Opens a connection that the client never closes. */
async function connectHalfOpen(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/**
 * Sends a request whose body never ends. Returns the response and the time until the server disconnects, in
 * milliseconds.
 */
async function trickle(port: number, head: string, piece = 'x'): Promise<{ response: string; ms: number }> {
  const socket = await connectHalfOpen(port)
  let response = ''
  socket.on('data', (chunk) => (response += chunk.toString()))
  using stopwatch = startStopwatch()
  socket.write(head)
  // If the server has closed the connection, the next write fails and the socket is closed.
  const timer = setInterval(() => socket.write(piece), 50)
  const timeout = setTimeout(() => socket.destroy(), 60_000)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(timer)
  clearTimeout(timeout)
  return { response, ms: stopwatch.elapsedMs() }
}

const head = (line: string, ...lines: string[]) =>
  [`${line} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...lines, '', ''].join('\r\n')
const length = 'Content-Length: 1000'

// The tests mostly wait for timeouts, so they run concurrently.
describe('slow clients', { concurrency: true }, () => {
  describe('responses sent before the request body has arrived', { concurrency: true }, () => {
    for (const [name, status, request] of [
      ['without a key', 401, () => head('POST /api/v1/applications', length)],
      [
        'with an invalid key',
        401,
        () => head('POST /api/v1/applications', 'Authorization: Bearer x', length),
      ],
      ['to an unknown path', 404, () => head('POST /api/v1/nowhere', length)],
      ['with an unsupported method', 405, () => head('PUT /api/v1/auth/oidc/token', length)],
      [
        'over the rate limit',
        429,
        () => head('POST /api/v1/applications', `Authorization: Bearer ${tenant.workspaceKey}`, length),
      ],
      [
        'with a body that is too large',
        413,
        () => head('POST /api/v1/auth/oidc/token', 'Content-Length: 32769'),
      ],
      ['with an oversized header section', 431, () => head('POST /', `X: ${'x'.repeat(17_000)}`)],
      ['to /livez', 200, () => head('GET /livez', length)],
      ['to the API reference', 200, () => head('GET /api/v1/docs', length)],
      ['with the OPTIONS method', storesInS3 ? 404 : 204, () => head('OPTIONS /storage/x', length)],
      ['with a chunked body', 404, () => head('POST /api/v1/nowhere', 'Transfer-Encoding: chunked')],
    ] as [string, number, () => string][]) {
      test(`returns ${status} and disconnects within 10 s for a request ${name}`, async () => {
        if (status === 429) await service.call('GET', '/workspace', { key: tenant.workspaceKey })
        const { response, ms } = await trickle(
          service.port,
          request(),
          name === 'with a chunked body' ? '1\r\nx\r\n' : 'x',
        )
        assert.match(response, new RegExp(`^HTTP/1.1 ${status} `))
        assert.match(response, /\r\nconnection: close\r\n/i)
        assert.ok(ms < 10_000, `${ms} ms`)
      })
    }

    test('keeps the connection open when the whole body has arrived', async () => {
      const socket = await connectHalfOpen(service.port)
      const request = head('POST /api/v1/nowhere', 'Content-Length: 2')
      socket.write(`${request}{}${request}{}`)
      let text = ''
      for await (const chunk of socket) {
        text += (chunk as Buffer).toString()
        if (text.split('HTTP/1.1 404').length === 3) break
      }
      assert.doesNotMatch(text, /connection: close/i)
      socket.destroy()
    })
  })

  describe('requests that arrive slowly', { concurrency: true }, () => {
    test('returns 408 to a client that sends headers at 20 bytes per second and never closes the connection', async () => {
      const { response, ms } = await trickle(service.port, 'GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ')
      assert.match(response, /^HTTP\/1.1 408 /)
      assert.ok(ms < 20_000, `${ms} ms`)
    })

    test('returns 408 to a client that sends a body at 20 bytes per second', async () => {
      const { response, ms } = await trickle(service.port, head('POST /api/v1/auth/oidc/token', length))
      assert.match(response, /^HTTP\/1.1 408 /)
      assert.match(response, /"request_id"/)
      assert.ok(ms < 20_000, `${ms} ms`)
    })
  })

  describe('the edge server', { concurrency: true }, () => {
    const log = pino({ level: 'silent' })
    const large = Buffer.alloc(64 * 1024 * 1024)
    const handle = () => undefined
    const backends = {
      api: (_request: unknown, response: { end: (bytes: Buffer) => void }) => response.end(large),
      storage: { handle, handleContinue: handle },
      check: async () => undefined,
      diagnose: () => undefined,
    }
    async function listen(maxConnections?: number, proxies = ['127.0.0.1']) {
      const edge = createEdgeServer({ maxConnections, proxies, log, uploadTurns: { start: () => () => {} } })
      edge.open(backends)
      edge.server.listen(0, '127.0.0.1')
      await once(edge.server, 'listening')
      return { server: edge.server, port: (edge.server.address() as AddressInfo).port }
    }

    test('reads bytes that arrive while the process is stalled before it closes a silent connection', async (t) => {
      const { server, port } = await listen()
      t.after(() => server.close())
      const accepted = once(server, 'connection') as Promise<[Socket]>
      const socket = await connectHalfOpen(port)
      const request = head('GET /livez', length)
      socket.write(request)
      const [connection] = await accepted
      const closed = once(connection, 'close')
      await once(connection, 'finish')
      // The server waits a second for more bytes, which it cannot read until after that second.
      socket.write('x'.repeat(100))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
      await closed
      assert.equal(connection.bytesRead, request.length + 100)
      socket.destroy()
    })

    test('disconnects a client that does not read the response', async (t) => {
      const { server, port } = await listen()
      t.after(() => server.close())
      const serverSocket = once(server, 'connection') as Promise<[Socket]>
      const socket = await connectHalfOpen(port)
      socket.pause()
      socket.write(head('GET /api/v1/large'))
      const [connection] = await serverSocket
      const startMs = performance.now()
      await new Promise((resolve) => connection.once('close', resolve))
      assert.ok(performance.now() - startMs < 20_000)
      socket.destroy()
    })

    test('sends a large response to a client that reads it slowly', async (t) => {
      const { server, port } = await listen()
      t.after(() => server.close())
      const socket = await connectHalfOpen(port)
      socket.write(head('GET /api/v1/large'))
      let received = 0
      for await (const chunk of socket) {
        received += (chunk as Buffer).length
        if (received >= large.length) break
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      assert.ok(received >= large.length)
    })

    test('closes connections above the limit immediately and accepts new ones after others are closed', async (t) => {
      const { server, port } = await listen(2)
      t.after(() => server.close())
      const [first, second] = [await connectHalfOpen(port), await connectHalfOpen(port)]
      const isServed = () =>
        fetch(`http://127.0.0.1:${port}/livez`, { headers: { connection: 'close' } }).then(
          ({ status }) => status === 200,
          () => false,
        )
      assert.equal(await isServed(), false)
      first.destroy()
      while (!(await isServed())) await new Promise(setImmediate)
      second.destroy()
    })

    test('closes new connections of a client that has half of all connections but accepts other clients', async (t) => {
      const { server, port } = await listen(5, ['127.0.0.9'])
      t.after(() => server.close())
      const isServed = async (localAddress: string) => {
        const socket = await connectHalfOpen(port, localAddress)
        socket.end(head('GET /livez', 'Connection: close'))
        return (await socket.toArray().catch(() => [])).length > 0
      }
      const client = '127.0.0.2'
      const open: Socket[] = []
      for (let n = 0; n < 3; n++) open.push(await connectHalfOpen(port, client))
      assert.equal(await isServed(client), false)
      assert.equal(await isServed('127.0.0.3'), true)
      open.pop()?.destroy()
      while (!(await isServed(client))) await new Promise(setImmediate)
      for (const socket of open) socket.destroy()
    })

    test('lets a trusted proxy use all connections', async (t) => {
      const { server, port } = await listen(4, ['127.0.0.9'])
      t.after(() => server.close())
      const sockets: Socket[] = []
      for (let n = 0; n < 4; n++) sockets.push(await connectHalfOpen(port, '127.0.0.9'))
      for (const socket of sockets) {
        socket.end(head('GET /livez', 'Connection: close'))
        assert.match(String(await socket.toArray()), /^HTTP\/1\.1 200 /)
      }
    })
  })
})
