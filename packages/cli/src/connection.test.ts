import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createClient } from '@quayside/sdk'
import { createConnection } from './connection.ts'
import { toFailureReport } from './failure.ts'
import { createOutput } from './output/output.ts'

const silent = { write: () => true }
const output = createOutput({ stdout: silent, stderr: silent }, false)

test('rejects responses that do not come from a Quayside server', async (t) => {
  const table: [number, string, string, RegExp][] = [
    [200, 'text/html; charset=utf-8', '<html>', / is not a Quayside server \(HTTP 200, text\/html\)\. /],
    [200, 'application/json', '{"data":[]}', / is not a Quayside server \(HTTP 200, application\/json\)\. /],
    [404, 'application/json', '{"message":"No."}', / is not a Quayside server \(HTTP 404, application\/json/],
    [403, 'text/html', '', / is not a Quayside server, or a proxy denied the request \(HTTP 403/],
  ]
  for (const [status, type, body, message] of table) {
    const url = await serve(t, (_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
    const report = await failureAt(url)
    assert.match(report.message, message)
    assert.equal(report.kind, 'unreachable')
  }
})

test('reports an error from a proxy in front of the server', async (t) => {
  const url = await serve(t, (_request, response) => response.writeHead(413).end())
  assert.deepEqual(await failureAt(url), {
    message:
      'The request is too large (HTTP 413). A proxy in front of the server limits the size of requests. In nginx, set client_max_body_size to 0.',
    kind: 'failed',
    status: 413,
  })
})

test('does not retry a request to a server that has never responded', async (t) => {
  let attempts = 0
  const url = await listen(t, createTcpServer())
  const { fetch, ...connection } = createConnection(url, output, 50)
  const counting: typeof fetch = (input, init) => {
    attempts++
    return fetch(input, init)
  }
  const report = await failureOf(createClient({ ...connection, fetch: counting, apiKey: 'key' }))
  assert.match(report.message, /^No response from http:.*: timed out after 0\.05 seconds\. Check that/)
  assert.deepEqual([report.kind, attempts], ['unreachable', 1])
})

test('waits longer for a server that has responded before', async (t) => {
  let count = 0
  const timeoutMs = 3_000
  const url = await serve(t, (_request, response) => {
    const send = () => response.writeHead(200, { 'quayside-version': '0.1.0' }).end('{"data":[]}')
    if (count++ === 0) send()
    else setTimeout(send, timeoutMs + 200)
  })
  const client = clientOf(url, timeoutMs)
  await client.listApplications()
  await client.listApplications()
  assert.equal(count, 2)
})

test('suggests http for a server that does not speak TLS', async (t) => {
  const url = await serve(t, (_request, response) => response.end())
  const secureUrl = url.replace('http', 'https')
  const report = await failureAt(secureUrl)
  assert.equal(report.message, `The server at ${secureUrl} does not speak TLS. Use ${url}.`)
})

const clientOf = (url: string, timeoutMs?: number) =>
  createClient({ ...createConnection(url, output, timeoutMs), apiKey: 'key' })

const failureAt = (url: string) => failureOf(clientOf(url))

async function failureOf(client: ReturnType<typeof createClient>) {
  const error = await client.listApplications().then(
    () => assert.fail('The call succeeded.'),
    (error: unknown) => error,
  )
  return toFailureReport(error)
}

const serve = (t: TestContext, listener: RequestListener) => listen(t, createServer(listener))

async function listen(t: TestContext, server: Server): Promise<string> {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
