import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { after, before, test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { auditEntry } from '../../../test/audit.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

type Received = { headers: IncomingMessage['headers']; body: string; path: string }
type Responder = (response: ServerResponse, received: Received) => void

const settings = { sendsWebhooks: true, environment: { QUAYSIDE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' } }
const withinMs = 20_000
let service: Service
let tenant: Tenant

before(async () => {
  service = await startService(settings)
})
after(() => service.close())

async function until<T>(what: string, find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    assert.ok(performance.now() < deadline, `${what} within ${withinMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Starts a receiver on loopback that records every request and sends 200 unless `respond` decides otherwise. */
async function startReceiver(t: TestContext, respond: Responder = (response) => response.end('ok')) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const one = { headers: request.headers, body, path: request.url ?? '' }
      received.push(one)
      respond(response, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    until: (count: number) =>
      until(`${count} requests`, () => (received.length >= count ? received : undefined)),
  }
}

const hooks = (of: Tenant, path = '') => `/applications/${of.applicationId}/webhooks${path}`

async function call(method: string, path: string, body?: unknown, of = tenant) {
  const response = await service.call(method, path, { key: of.applicationKey, body })
  assert.ok(response.status < 300, response.text)
  return response.body.data
}

const createWebhook = async (url: string, fields: object = {}, of = tenant): Promise<string> =>
  (await call('POST', hooks(of), { url, event: 'build.created', ...fields }, of)).id

const requestsOf = (id: string, of = tenant) =>
  call('GET', `${hooks(of, `/${id}/requests`)}?per_page=100`, undefined, of)

const requestWith = (id: string, matches: (request: any) => boolean, of = tenant) =>
  until('the request is recorded', async () => (await requestsOf(id, of)).find(matches))

/** Makes the pending attempts of a webhook due, as if their time had come. */
const makeDue = (id: string) =>
  service.deps.db
    .updateTable('webhook_requests')
    .set({ next_attempt_at: sql<string>`now()` })
    .where('webhook_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()

const newTenant = async (t: TestContext) => {
  tenant = await service.tenant()
  // Pending requests of this test must not reach a receiver of the next test on the same port.
  t.after(() =>
    service.deps.db.deleteFrom('webhooks').where('application_id', '=', tenant.applicationId).execute(),
  )
}

for (const format of ['json', 'form'])
  test(`sends a signed ${format} request that a Standard Webhooks receiver verifies with both secrets during a rotation`, async (t) => {
    await newTenant(t)
    const [first, second] = [
      'whsec_' + Buffer.from('the first key of it').toString('base64'),
      'a second secret',
    ]
    const receiver = await startReceiver(t)
    const id = await createWebhook(receiver.url, { format, secret: first })
    const { build } = await uploadedBuild(service, tenant)
    await receiver.until(1)
    await call('PATCH', hooks(tenant, `/${id}`), { secret: second })
    await call('POST', hooks(tenant, `/${id}/test`))
    await receiver.until(2)

    const [created, tested] = receiver.received.map(({ headers, body }) => {
      const payload = format === 'form' ? new URLSearchParams(body).get('payload')! : body
      assert.equal(headers['x-webhook-id'], JSON.parse(payload).id)
      assert.equal(headers['x-webhook-event'], 'build.created')
      assert.match(String(headers['user-agent']), /^Quayside\/\d/)
      assert.match(
        String(headers['content-type']),
        format === 'form' ? /^application\/x-www-form-urlencoded/ : /^application\/json/,
      )
      return { headers: headers as Record<string, string>, body, data: JSON.parse(payload).data }
    })
    assert.equal(created!.data.build.id, build.id)
    assert.equal(tested!.data.test, true)
    const standard = (secret: string) =>
      secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })
    for (const [secret, request] of [
      [first, created],
      [first, tested],
      [second, tested],
    ] as const)
      assertVerifies(standard(secret), request!)
    assert.throws(() => assertVerifies(standard(second), created!))
    for (const [secret, request] of [
      [first, created],
      [second, tested],
    ] as const)
      assert.equal(
        request!.headers['x-webhook-signature'],
        createHmac('sha256', secret).update(request!.body).digest('hex'),
      )
  })

/** Verifies the signature. The library parses the body as JSON, which a form is not, after it verified it. */
function assertVerifies(
  receiver: Webhook,
  { headers, body }: { headers: Record<string, string>; body: string },
) {
  try {
    receiver.verify(body, headers)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
}

test('records the response, without cookies, and truncates its body to 16 KiB', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t, (response) => {
    response.writeHead(202, { 'set-cookie': 'session=secret', 'x-answer': 'yes' })
    response.end(`a\0b${'x'.repeat(100_000)}`)
  })
  const id = await createWebhook(receiver.url, { secret: 'a secret of eight' })
  await uploadedBuild(service, tenant)
  const request = await requestWith(id, ({ state }) => state === 'delivered')
  assert.deepEqual([request.response_code, request.delivery_attempts, request.error], [202, 1, null])
  assert.equal(request.response_headers['x-answer'], 'yes')
  assert.equal(request.response_headers['set-cookie'], undefined)
  assert.equal(request.request_headers['webhook-signature'], undefined)
  assert.equal(request.response_payload.length, 16 * 1024)
  assert.ok(request.duration > 0)
  const webhook = await call('GET', hooks(tenant, `/${id}`))
  assert.ok(webhook.last_successful_request_at !== null)
  assert.equal(webhook.latest_webhook_request.id, request.id)
  assert.equal(webhook.updated_at, webhook.created_at)
})

test('sends events only to webhooks whose event, stream and label match', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t)
  const label = await call('POST', `/applications/${tenant.applicationId}/labels`, {
    name: 'ready',
    color: '#ff0000',
  })
  const to = (name: string) => receiver.url.replace('/hook', `/${name}`)
  await createWebhook(to('any'))
  await createWebhook(to('stable'), { stream: 'stable' })
  await createWebhook(to('into-stable'), { event: 'build.moved.stream', stream: 'stable' })
  await createWebhook(to('into-nightlies'), { event: 'build.moved.stream', stream: 'nightlies' })
  await createWebhook(to('labeled'), { label: 'ready' })
  await createWebhook(to('label-added'), { event: 'build.label.added', label: 'ready' })
  await createWebhook(to('inactive'), { is_active: false })
  const { build } = await uploadedBuild(service, tenant, { stream: 'default' })
  await uploadedBuild(service, tenant, { stream: 'default', labels: ['ready'] })
  const builds = `/applications/${tenant.applicationId}/builds`
  await call('PATCH', `${builds}/${build.id}`, { stream: 'stable', labels: [label.id] })
  await receiver.until(5)
  await until('all events are dispatched', async () => {
    const { count } = await service.deps.db
      .selectFrom('events')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('dispatched_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count) === 0 || undefined
  })
  await until('all requests are sent', async () => {
    const waiting = await service.deps.db
      .selectFrom('webhook_requests')
      .select('id')
      .where('state', '=', 'waiting')
      .execute()
    return waiting.length === 0 || undefined
  })
  const counts = Map.groupBy(receiver.received, ({ path }) => path.slice(1))
  assert.deepEqual(Object.fromEntries([...counts].map(([path, all]) => [path, all.length])), {
    any: 2,
    labeled: 1,
    'label-added': 1,
    'into-stable': 1,
  })
})

test('retries with the same event ID, reports the error state after the tenth attempt, and clears it on redelivery', async (t) => {
  await newTenant(t)
  let status = 500
  const receiver = await startReceiver(t, (response) => {
    response.statusCode = status
    response.end()
  })
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service, tenant)
  for (let attempt = 1; attempt < 10; attempt++) {
    await requestWith(
      id,
      ({ delivery_attempts, response_code }) => delivery_attempts === attempt && response_code === 500,
    )
    await until('the attempt is recorded', async () => {
      const { next_attempt_at } = await service.deps.db
        .selectFrom('webhook_requests')
        .select('next_attempt_at')
        .where('webhook_id', '=', id)
        .executeTakeFirstOrThrow()
      // An attempt in progress is due again after 30 s at the latest; the retries after the first are later.
      return attempt === 1 || Date.parse(next_attempt_at!) > Date.now() + 60_000 || undefined
    })
    assert.equal((await call('GET', hooks(tenant, `/${id}`))).in_error_state, false)
    await makeDue(id)
  }
  const failed = await requestWith(id, ({ state }) => state === 'failed')
  assert.equal(failed.delivery_attempts, 10)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  const webhook = await call('GET', hooks(tenant, `/${id}`))
  assert.deepEqual([webhook.in_error_state, webhook.is_active], [true, true])
  assert.ok(webhook.last_failed_request_at !== null)

  status = 204
  await call('POST', hooks(tenant, `/${id}/requests/${failed.id}/redeliver`))
  await requestWith(id, ({ state }) => state === 'delivered')
  assert.equal(receiver.received.at(-1)?.headers['webhook-id'], failed.request_payload.id)
  assert.equal((await call('GET', hooks(tenant, `/${id}`))).in_error_state, false)
})

test('waits as long as Retry-After asks for before the next attempt', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t, (response) =>
    response.writeHead(503, { 'retry-after': '3600' }).end(),
  )
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service, tenant)
  await requestWith(id, ({ response_code }) => response_code === 503)
  const { next_attempt_at } = await service.deps.db
    .selectFrom('webhook_requests')
    .select('next_attempt_at')
    .where('webhook_id', '=', id)
    .executeTakeFirstOrThrow()
  const delaySeconds = (Date.parse(next_attempt_at!) - Date.now()) / 1000
  assert.ok(delaySeconds > 3500 && delaySeconds <= 3600, `${delaySeconds}`)
})

test('deactivates a webhook whose receiver responds 410, cancels its requests, and records an audit entry', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t, (response) => response.writeHead(410).end())
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service, tenant)
  const request = await requestWith(id, ({ state }) => state === 'failed')
  assert.deepEqual([request.response_code, request.delivery_attempts], [410, 1])
  assert.equal((await call('GET', hooks(tenant, `/${id}`))).is_active, false)
  const entry = await auditEntry(service, id)
  assert.deepEqual([entry.action, entry.actor_kind], ['webhook.updated', 'system'])
  await uploadedBuild(service, tenant)
  await until('the event is dispatched', async () => {
    const waiting = await service.deps.db
      .selectFrom('events')
      .select('id')
      .where('application_id', '=', tenant.applicationId)
      .where('dispatched_at', 'is', null)
      .execute()
    return waiting.length === 0 || undefined
  })
  assert.equal(receiver.received.length, 1)
})

test('deactivates a webhook that has only failed for five days', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end())
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service, tenant)
  await requestWith(id, ({ response_code }) => response_code === 500)
  await service.deps.db
    .updateTable('webhooks')
    .set({ failing_since: sql<string>`now() - interval '5 days 1 minute'` })
    .where('id', '=', id)
    .execute()
  await makeDue(id)
  await until('the webhook is deactivated', async () =>
    (await call('GET', hooks(tenant, `/${id}`))).is_active ? undefined : true,
  )
  assert.equal((await requestsOf(id))[0].state, 'failed')
})

test('does not follow redirects and reports why no response was received', async (t) => {
  await newTenant(t)
  const other = await startReceiver(t)
  const redirecting = await startReceiver(t, (response) =>
    response.writeHead(307, { location: other.url }).end(),
  )
  const closing = await startReceiver(t, (response) => response.destroy())
  const outcomes: [string, { response_code: number | null; error: string | null }][] = [
    [redirecting.url, { response_code: 307, error: null }],
    [
      closing.url,
      { response_code: null, error: 'The connection was closed before a response was received.' },
    ],
    ['http://127.0.0.1:1/', { response_code: null, error: 'The connection was refused.' }],
    ['http://host.invalid/', { response_code: null, error: 'The host name does not exist.' }],
    [
      'http://10.0.0.1/',
      {
        response_code: null,
        error:
          'The host has no public address. The operator can allow private addresses with QUAYSIDE_WEBHOOK_ALLOW_PRIVATE.',
      },
    ],
  ]
  const ids = await Promise.all(outcomes.map(([url]) => createWebhook(url)))
  await uploadedBuild(service, tenant)
  for (const [index, [url, expected]] of outcomes.entries()) {
    const request = await requestWith(
      ids[index]!,
      ({ response_code, error }) => response_code !== null || error !== null,
    )
    const { response_code, error } = request
    if (url.includes('.invalid')) assert.match(error, /host name (does not exist|could not be resolved)/)
    else assert.deepEqual({ response_code, error }, expected, url)
  }
  assert.equal(other.received.length, 0)
})

test('delivers to a responsive receiver within 2 s while 50 other receivers hang', async (t) => {
  const hanging = await startReceiver(t, () => {})
  for (let application = 0; application < 5; application++) {
    await newTenant(t)
    for (let hook = 0; hook < 10; hook++) await createWebhook(hanging.url)
    for (let build = 0; build < 7; build++) await uploadedBuild(service, tenant)
  }
  await hanging.until(50)
  await newTenant(t)
  const arrivals: number[] = []
  const healthy = await startReceiver(t, (response) => {
    arrivals.push(performance.now())
    response.end()
  })
  await createWebhook(healthy.url)
  const delays: number[] = []
  for (let build = 1; build <= 20; build++) {
    await uploadedBuild(service, tenant)
    const uploadedAt = performance.now()
    await healthy.until(build)
    delays.push(arrivals.at(-1)! - uploadedAt)
  }
  const p95 = delays.toSorted((a, b) => a - b)[18]!
  t.diagnostic(`p95 ${Math.round(p95)} ms`)
  assert.ok(p95 < 2_000, `${p95} ms`)
})

test('sends a request again after the service stopped during an attempt', async (t) => {
  await newTenant(t)
  let hangs = true
  const receiver = await startReceiver(t, (response) => void (hangs || response.end()))
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service, tenant)
  await receiver.until(1)
  await service.stop()
  hangs = false
  service = await startService({ ...settings, state: service.state })
  await receiver.until(2)
  const request = await requestWith(id, ({ state }) => state === 'delivered')
  assert.equal(request.delivery_attempts, 1)
  assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id'])
})
