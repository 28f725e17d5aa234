import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { reuseReadBuffers } from './reused-read-buffers.ts'

const body = randomBytes(4 * 1024 * 1024)
const respond: http.RequestListener = (_request, response) => void response.end(body)

// A cipher without authentication needs no certificate.
const anonymous = { ciphers: 'AECDH-AES128-SHA:@SECLEVEL=0', maxVersion: 'TLSv1.2' } as const

const protocols = {
  http: {
    get: http.get,
    agent: () => new http.Agent({ keepAlive: true }),
    server: () => http.createServer(respond),
  },
  https: {
    get: https.get,
    agent: () => new https.Agent({ keepAlive: true, rejectUnauthorized: false, ...anonymous }),
    server: () => https.createServer(anonymous, respond),
  },
}

for (const [protocol, { get, agent: createAgent, server: createServer }] of Object.entries(protocols))
  test(`a connection with ${protocol} receives several responses in one buffer, even if they are read slowly`, async (t) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const agent = createAgent()
    reuseReadBuffers(agent)
    t.after(() => {
      agent.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const memory = new Set<ArrayBufferLike>()
    const sockets = new Set<Socket>()

    for (let count = 0; count < 2; count++) {
      const request = get(`${protocol}://127.0.0.1:${port}/`, { agent })
      request.on('socket', (socket) => {
        sockets.add(socket)
        socket.on('data', (bytes: Buffer) => memory.add(bytes.buffer))
      })
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      const chunks: Buffer[] = []
      for await (const chunk of response as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        await setImmediate()
      }
      assert.ok(Buffer.concat(chunks).equals(body))
      // The agent gets the connection back for the next request in the next tick.
      await setImmediate()
    }
    assert.deepEqual([sockets.size, memory.size], [1, 1])
  })
