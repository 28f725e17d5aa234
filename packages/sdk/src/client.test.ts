import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createClient, everyItem, QuaysideError, QuaysideUnreachableError } from './client.ts'

type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Reply = (response: ServerResponse, request: SeenRequest) => void

async function startService(context: TestContext, ...replies: Reply[]) {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const call = { method, url, headers, body: Buffer.concat(chunks).toString() }
    seen.push(call)
    replies[Math.min(seen.length, replies.length) - 1]!(response, call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, baseUrl, client: createClient({ baseUrl, apiKey: 'qsw_x', userAgent: 'test/1' }) }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const disconnect: Reply = (response) => response.destroy()

test('sends the path parameters, query parameters and API key', async (context) => {
  const { client, seen } = await startService(context, json(200, { message: 'ok', data: [] }))
  await client.listBuilds({ application_id: 'a/b c', per_page: 5, search: 'x&y' })
  assert.equal(seen[0]!.method, 'GET')
  assert.match(seen[0]!.url, /^\/api\/v1\/applications\/a%2Fb%20c\/builds\?/)
  const query = new URL(seen[0]!.url, 'http://x').searchParams
  assert.deepEqual([query.get('per_page'), query.get('search')], ['5', 'x&y'])
  assert.equal(seen[0]!.headers.authorization, 'Bearer qsw_x')
  assert.equal(seen[0]!.headers['user-agent'], 'test/1')
})

test('retries a request once with another key after a 401 response', async (context) => {
  const unauthorized = json(401, { message: 'No.' })
  const { baseUrl, seen } = await startService(
    context,
    unauthorized,
    json(200, { message: 'ok', data: [] }),
    unauthorized,
  )
  const rejectedKeys: (string | undefined)[] = []
  const apiKey = async (rejected?: string) => {
    rejectedKeys.push(rejected)
    return rejected === undefined ? 'first' : 'second'
  }
  const client = createClient({ baseUrl, apiKey })
  await client.listBuilds({ application_id: 'a' })
  const sent = seen.map(({ headers }) => headers.authorization)
  assert.deepEqual(
    [sent, rejectedKeys],
    [
      ['Bearer first', 'Bearer second'],
      [undefined, 'first'],
    ],
  )
  const error = await client.listBuilds({ application_id: 'a' }).catch((reason: unknown) => reason)
  assert.ok(error instanceof QuaysideError && error.status === 401)
  assert.equal(seen.length, 4)
})

test('returns the location of a documented redirect and rejects any other redirect', async (context) => {
  const location = 'https://elsewhere.example/file'
  const { client } = await startService(context, json(302, { message: 'There.', location }, { location }))
  const params = { application_id: 'a', build_id: 'b' }
  assert.equal((await client.getBuildFile(params)).location, location)
  const error = await client.getBuild(params).catch((reason: unknown) => reason)
  assert.ok(error instanceof QuaysideError)
  assert.equal(error.status, 302)
})

test('returns an image response as bytes', async (context) => {
  const bytes = Uint8Array.of(0x89, 0x50, 0xff, 0, 1)
  const { client } = await startService(context, (response) =>
    response.setHeader('content-type', 'image/png').end(bytes),
  )
  assert.deepEqual(await client.getIcon({ icon_id: 'x' }), bytes)
})

test('rejects "." and ".." as path parameters without sending a request', async (context) => {
  const { client, seen } = await startService(context, json(200, {}))
  for (const application_id of ['.', '..'])
    await assert.rejects(client.getApplication({ application_id }), TypeError)
  assert.equal(seen.length, 0)
})

test('rejects with a QuaysideError that contains the validation errors from the response', async (context) => {
  const body = { message: 'Bad.', code: 'upload.invalid', errors: { platform: ['no'] }, request_id: 'r1' }
  const { client, seen } = await startService(context, json(422, body))
  const error = await client.createApplication({ body: { name: '' } }).catch((reason: unknown) => reason)
  assert.ok(error instanceof QuaysideError)
  assert.deepEqual(
    [error.status, error.message, error.code, error.errors, error.requestId],
    [422, 'Bad.', 'upload.invalid', { platform: ['no'] }, 'r1'],
  )
  assert.equal(seen.length, 1)
})

test('retries a GET request after a 503 response or a lost connection', async (context) => {
  const { client, seen } = await startService(
    context,
    json(503, {}),
    disconnect,
    json(200, { message: 'ok', data: { id: 'w' } }),
  )
  assert.equal((await client.getWorkspace()).data.id, 'w')
  assert.equal(seen.length, 3)
})

test('does not retry a POST request without an idempotency key after a 503 response', async (context) => {
  const { client, seen } = await startService(context, json(503, { message: 'down' }))
  await assert.rejects(client.createApplication({ body: { name: 'x' } }), { status: 503, message: 'down' })
  assert.equal(seen.length, 1)
})

test('reuses the idempotency key when it retries a POST request after a lost connection', async (context) => {
  const { client, seen } = await startService(context, disconnect, json(201, { message: 'ok', data: {} }))
  await client.createApplication({ body: { name: 'x' } }, { idempotencyKey: 'k1' })
  assert.deepEqual(
    seen.map((call) => call.headers['idempotency-key']),
    ['k1', 'k1'],
  )
  assert.equal(seen[1]!.body, '{"name":"x"}')
})

test('waits for the Retry-After delay before retrying any call that receives a 429', async (context) => {
  const { client, seen } = await startService(
    context,
    json(429, {}, { 'retry-after': '1' }),
    json(201, { message: 'ok' }),
  )
  const started = performance.now()
  await client.createApplication({ body: { name: 'x' } })
  assert.ok(performance.now() - started >= 990)
  assert.equal(seen.length, 2)
})

test('rejects with QuaysideUnreachableError when every connection attempt is refused', async () => {
  // Only privileged programs can listen on port 2, and fetch does not block it.
  const client = createClient({ baseUrl: 'http://127.0.0.1:2', retries: 1 })
  await assert.rejects(client.getWorkspace(), (error) => {
    assert.ok(error instanceof QuaysideUnreachableError)
    assert.match(error.message, /^No response from http:\S+: the connection was refused$/)
    return true
  })
})

test('rejects a response that is not JSON', async (context) => {
  const { client } = await startService(context, (response) =>
    response.setHeader('content-type', 'text/html').end('<html>'),
  )
  await assert.rejects(client.getWorkspace(), { code: 'sdk.not_json', message: /text\/html/ })
})

test('includes the target of an unexpected redirect in the error message', async (context) => {
  const { client } = await startService(context, (response) =>
    response.writeHead(301, { location: 'https://b.example' }).end(),
  )
  await assert.rejects(client.getWorkspace(), { code: 'sdk.redirected', message: /https:\/\/b\.example/ })
})

test('stops waiting to retry when the signal is aborted', async (context) => {
  const { client } = await startService(context, json(503, {}, { 'retry-after': '60' }))
  const stop = new AbortController()
  const call = client.getWorkspace({}, { signal: stop.signal })
  setImmediate(() => stop.abort())
  await assert.rejects(call, { name: 'AbortError' })
})

test('yields every item of three pages exactly once and in order', async (context) => {
  const { client, seen } = await startService(context, (response, call) => {
    const page = Number(new URL(call.url, 'http://x').searchParams.get('page'))
    json(200, {
      message: 'ok',
      data: [{ id: `${page}a` }, { id: `${page}b` }],
      pagination: { current_page: page, last_page: 3 },
    })(response, call)
  })
  const ids: string[] = []
  for await (const application of everyItem((page) => client.listApplications({ page })))
    ids.push(application.id)
  assert.deepEqual(ids, ['1a', '1b', '2a', '2b', '3a', '3b'])
  assert.equal(seen.length, 3)
})
