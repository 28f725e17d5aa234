import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createClient, QuaysideError, QuaysideUnreachableError } from './client.ts'
import { watchEvents } from './events.ts'

type Reply = (response: ServerResponse, request: IncomingMessage) => void

/** Starts a server that sends the replies in order and repeats the last one for all further requests. */
async function startService(context: TestContext, ...replies: Reply[]) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    replies[Math.min(requests.length, replies.length) - 1]!(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { baseUrl, requests, client: createClient({ baseUrl, apiKey: 'qsw_x', retries: 0 }) }
}

const stream =
  (chunks: (string | Buffer)[], { ends = true } = {}): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(chunk)
    if (ends) response.end()
  }
const error =
  (status: number, code: string): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: 'No.', code }))

const fast = 'retry: 1\n\n'
const change = (id: string) =>
  `event: change\nid: ${id}\ndata: ${JSON.stringify({ type: 'build', id, action: 'created' })}\n\n`

/** Reads events until there are `count` of them, or until the iterator ends or rejects. */
async function take(events: AsyncIterable<{ event: string; data: unknown }>, count = Infinity) {
  const found: string[] = []
  for await (const { event, data } of events) {
    found.push(`${event} ${(data as { id?: string }).id ?? ''}`.trim())
    if (found.length === count) break
  }
  return found
}

test('parses events regardless of how the bytes are split into chunks', async (context) => {
  const text = `\uFEFF: comment\r\nretry: 1\r\rid: 1\nevent: ready\ndata: {"cursor":\ndata: "é"}\n\nevent: end\ndata: {}\n\n${change('a')}`
  const bytes = Buffer.from(text)
  const { client, requests } = await startService(
    context,
    stream([...bytes].map((byte) => Buffer.from([byte]))),
    error(410, 'events.cursor_expired'),
  )
  const found: unknown[] = []
  await assert.rejects(async () => {
    for await (const event of client.watchWorkspaceEvents({ after: 'x' })) found.push(event)
  }, QuaysideError)
  assert.deepEqual(found, [
    { event: 'ready', data: { cursor: 'é' } },
    { event: 'change', data: { type: 'build', id: 'a', action: 'created' } },
  ])
  assert.equal(requests[0]?.url, '/api/v1/workspace/events?after=x')
  assert.equal(requests[0]?.headers.accept, 'text/event-stream')
})

test('reconnects with the ID of the last event while the server is unreachable or unavailable', async (context) => {
  const { client, requests } = await startService(
    context,
    stream([fast, change('a')]),
    (response) => response.destroy(),
    error(503, 'server.stopping'),
    error(429, 'rate.exceeded'),
    // The ID of a heartbeat advances the cursor too.
    stream([fast, ': heartbeat\nid: b\n\n']),
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${change('c')}data: {"id"`)
      setImmediate(() => response.destroy())
    },
    stream([fast, change('d')]),
  )
  const found = await take(client.watchEvents({ application_id: 'x' }), 3)
  assert.deepEqual(found, ['change a', 'change c', 'change d'])
  const ids = requests.map(({ headers }) => headers['last-event-id'])
  assert.deepEqual(ids, [undefined, 'a', 'a', 'a', 'a', 'b', 'c'])
})

test('rejects when the first connection fails or the server returns a permanent error', async (context) => {
  for (const [status, code] of [
    [401, 'key.unauthorized'],
    [404, 'resource.not_found'],
    [410, 'events.cursor_expired'],
  ] as const) {
    const { client } = await startService(context, stream([fast, change('a')]), error(status, code))
    const found: string[] = []
    await assert.rejects(
      async () => {
        for await (const { event } of client.watchEvents({ application_id: 'x' })) found.push(event)
      },
      (failure: QuaysideError) => failure.status === status && failure.code === code,
    )
    assert.deepEqual(found, ['change'])
  }
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'x', retries: 0 })
  await assert.rejects(take(client.watchEvents({ application_id: 'x' })), QuaysideUnreachableError)
  const unavailable = await startService(context, error(503, 'server.stopping'))
  await assert.rejects(take(unavailable.client.watchEvents({ application_id: 'x' })), QuaysideError)
})

test('reconnects when the stream is silent for too long', async (context) => {
  const { baseUrl, requests } = await startService(
    context,
    stream([fast, change('a')], { ends: false }),
    stream([fast, change('b')]),
  )
  const events = watchEvents({
    connect: (lastEventId, signal) =>
      fetch(baseUrl, { signal, headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId } }),
    signal: undefined,
    // The limit also applies to opening the first connection, which a busy machine delays.
    maxSilenceMs: 3_000,
  })
  assert.deepEqual(await take(events, 2), ['change a', 'change b'])
  assert.equal(requests[1]?.headers['last-event-id'], 'a')
})

test('closes the connection when the caller stops reading or aborts', async (context) => {
  for (const stop of ['break', 'abort']) {
    const closed = Promise.withResolvers<void>()
    const { client } = await startService(context, (response, request) => {
      response.once('close', () => closed.resolve())
      stream([fast, change('a')], { ends: false })(response, request)
    })
    const controller = new AbortController()
    const events = client.watchEvents({ application_id: 'x' }, { signal: controller.signal })
    await events.next()
    if (stop === 'break') await events.return()
    else {
      const next = events.next()
      controller.abort()
      await assert.rejects(next, { name: 'AbortError' })
    }
    await closed.promise
  }
})
