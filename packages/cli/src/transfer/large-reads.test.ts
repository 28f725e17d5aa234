import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createAgents } from './agents.ts'
import { readBody } from './large-reads.ts'

const body = randomBytes(9_000_001)

async function get(t: TestContext, respond: RequestListener): Promise<IncomingMessage> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agents = createAgents({})
  t.after(() => {
    agents.close()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const request = httpRequest({ host: '127.0.0.1', port, agent: agents.http }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readBody(response)) {
    // A slow consumer pauses the connection. The chunk must not change while it is paused.
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

test('reads a body with a content length', async (t) => {
  const response = await get(t, (_, reply) => {
    reply.writeHead(200, { 'content-length': body.length }).end(body)
  })
  assert.ok(body.equals(await readAll(response)))
})

test('reads a chunked body', async (t) => {
  const response = await get(t, (_, reply) => {
    reply.write(body.subarray(0, 1000))
    reply.end(body.subarray(1000))
  })
  assert.ok(body.equals(await readAll(response)))
})

test('reads a body that arrives together with the headers', async (t) => {
  const response = await get(t, (_, reply) => void reply.end('short'))
  assert.equal(String(await readAll(response)), 'short')
})

test('rejects if the connection closes before the end of the body', async (t) => {
  const response = await get(t, (_, reply) => {
    reply.writeHead(200, { 'content-length': body.length + 1 })
    reply.write(body, () => reply.destroy())
  })
  await assert.rejects(readAll(response))
})
