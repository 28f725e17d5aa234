import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { debianPackage } from '../../../test/debian-package.ts'
import { uploadedBuild } from '../../../test/uploading.ts'
import { startReceiver, useWebhookService } from '../../../test/webhook-receivers.ts'
import { webhookGuide } from '../../http/reference/reference-webhook-guide.ts'

const {
  service,
  tenant,
  newTenant,
  call,
  callWebhook,
  createWebhook,
  requestWith,
  untilDispatched,
  restart,
} = useWebhookService()

for (const format of ['json', 'form'])
  test(`sends a signed ${format} request that a Standard Webhooks receiver can verify with either secret during a rotation`, async (t) => {
    await newTenant(t)
    const [first, second] = [
      `whsec_${Buffer.from('the first key of the webhook').toString('base64')}`,
      'a second secret',
    ]
    const receiver = await startReceiver(t)
    const id = await createWebhook(receiver.url, { format, secret: first })
    const { build } = await uploadedBuild(service(), tenant())
    await receiver.until(1)
    await callWebhook('PATCH', id, '', { secret: second })
    await callWebhook('POST', id, '/test')
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
    // The function that the API reference shows.
    const { verifyWebhook } = (await import(
      `data:text/javascript,${encodeURIComponent(webhookGuide.code ?? '')}`
    )) as { verifyWebhook: (secret: string, headers: object, body: string) => unknown }
    const { headers, body } = tested!
    if (format === 'json')
      for (const secret of [first, second])
        assert.deepEqual(verifyWebhook(secret, headers, body), JSON.parse(body))
    for (const [secret, sent, time] of [
      ['another secret', body, headers['webhook-timestamp']],
      [second, `${body} `, headers['webhook-timestamp']],
      [second, body, '1'],
    ] as const)
      assert.throws(() => verifyWebhook(secret, { ...headers, 'webhook-timestamp': time }, sent))
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

test('sends the metadata of a package once it has been read', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t)
  await createWebhook(receiver.url, { event: 'build.processed' })
  const bytes = debianPackage({ Package: 'harbor', Version: '1.4.2', Architecture: 'amd64' })
  await uploadedBuild(service(), tenant(), { primary_file: { filename: 'harbor.deb' } }, bytes)
  const [request] = await receiver.until(1)
  assert.equal(JSON.parse(request!.body).data.build.file_info.name, 'harbor')
})

/** Verifies the signature. The library then parses the body as JSON, which throws a SyntaxError for a form. */
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
  await uploadedBuild(service(), tenant())
  const request = await requestWith(id, ({ state }) => state === 'delivered')
  assert.deepEqual([request.response_code, request.delivery_attempts, request.error], [202, 1, null])
  assert.equal(request.response_headers['x-answer'], 'yes')
  assert.equal(request.response_headers['set-cookie'], undefined)
  assert.equal(request.request_headers['webhook-signature'], undefined)
  assert.equal(request.response_payload.length, 16 * 1024)
  assert.ok(request.duration > 0)
  const webhook = await callWebhook('GET', id)
  assert.ok(webhook.last_successful_request_at !== null)
  assert.equal(webhook.latest_webhook_request.id, request.id)
  assert.equal(webhook.updated_at, webhook.created_at)
})

test('sends events only to webhooks whose event, stream and label match', async (t) => {
  await newTenant(t)
  const receiver = await startReceiver(t)
  const label = await call('POST', `/applications/${tenant().applicationId}/labels`, {
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
  const { build } = await uploadedBuild(service(), tenant(), { stream: 'default' })
  await uploadedBuild(service(), tenant(), { stream: 'default', labels: ['ready'] })
  const builds = `/applications/${tenant().applicationId}/builds`
  await call('PATCH', `${builds}/${build.id}`, { stream: 'stable', labels: [label.id] })
  await receiver.until(5)
  await untilDispatched()
  const counts = Map.groupBy(receiver.received, ({ path }) => path.slice(1))
  assert.deepEqual(Object.fromEntries([...counts].map(([path, all]) => [path, all.length])), {
    any: 2,
    labeled: 1,
    'label-added': 1,
    'into-stable': 1,
  })
})

test('delivers to a responsive receiver within 2 s while 50 other receivers hang', async (t) => {
  const hanging = await startReceiver(t, () => {})
  for (let application = 0; application < 5; application++) {
    await newTenant(t)
    for (let hook = 0; hook < 10; hook++) await createWebhook(hanging.url)
    for (let build = 0; build < 7; build++) await uploadedBuild(service(), tenant())
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
    await uploadedBuild(service(), tenant())
    const uploadedAt = performance.now()
    await healthy.until(build)
    delays.push(arrivals.at(-1)! - uploadedAt)
  }
  const p95 = delays.toSorted((a, b) => a - b)[18]!
  t.diagnostic(`p95 ${Math.round(p95)} ms`)
  assert.ok(p95 < 2_000, `${p95} ms`)
})

test('resends a request after a service restart interrupts an attempt', async (t) => {
  await newTenant(t)
  let hangs = true
  const receiver = await startReceiver(t, (response) => void (hangs || response.end()))
  const id = await createWebhook(receiver.url)
  await uploadedBuild(service(), tenant())
  await receiver.until(1)
  hangs = false
  await restart()
  await receiver.until(2)
  const request = await requestWith(id, ({ state }) => state === 'delivered')
  assert.equal(request.delivery_attempts, 1)
  assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id'])
})
