import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { countBuilds } from '../src/features/builds/totals/count-builds.job.ts'
import { createMetricsHandler, listenForMetrics } from '../src/telemetry/metrics-endpoint.ts'
import { storesInS3 } from './acceptance/test-storage.ts'
import { startOwnService, type Service } from './harness.ts'
import { monitoringExpressions, monitoringFolder } from './monitoring-files.ts'
import { until } from './until.ts'
import { uploadedBuild } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

const token = 'metrics-token-of-the-tests-0123456789'
const traceId = '0af7651916cd43dd8448eb211c80319c'

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

let receiver: Server
const spans: Span[] = []
let service: Service
let fixture: Fixture

before(async () => {
  receiver = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  service = await startOwnService({
    environment: {
      QUAYSIDE_METRICS_TOKEN: token,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: '',
    },
  })
  fixture = await createFixture(service)
})
after(async () => {
  await service.state.remove()
  receiver.closeAllConnections()
  receiver.close()
})

const request = (headers: Record<string, string>, method = 'GET') =>
  fetch(`${service.url}/metrics`, { method, headers })

/** Returns the samples by name and labels. */
async function samples(): Promise<Map<string, number>> {
  const response = await request({ authorization: `Bearer ${token}` })
  assert.equal(response.status, 200)
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

async function countWaitingRequests(): Promise<number> {
  const { count } = await service.deps.db
    .selectFrom('webhook_requests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return count
}

test('sends metrics only to callers with the token', async () => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${token}` }]) {
    const response = await request(headers)
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.doesNotMatch(await response.text(), /quayside_/)
  }
  const posted = await request({ authorization: `Bearer ${token}` }, 'POST')
  assert.equal(posted.status, 405)
})

test('counts requests by route, transferred bytes, uploads and statements', async () => {
  const earlier = await samples()
  const { bytes } = await uploadedBuild(service, fixture)
  await service.call('GET', `/applications/${fixture.applicationId}/builds`, { key: fixture.applicationKey })
  const later = await samples()
  const added = (name: string) => (later.get(name) ?? 0) - (earlier.get(name) ?? 0)
  const builds = 'method="GET",route="/api/v1/applications/:application_id/builds"'
  assert.equal(added(`quayside_http_requests_total{${builds},status="200"}`), 1)
  assert.equal(added(`quayside_http_request_duration_seconds_count{${builds}}`), 1)
  // Clients send files directly to S3.
  const puts = storesInS3 ? 0 : 1
  assert.equal(added('quayside_http_requests_total{method="PUT",route="/storage/*",status="200"}'), puts)
  assert.equal(added('quayside_verified_uploads_total{kind="build"}'), 1)
  assert.equal(added('quayside_verified_upload_bytes_total{kind="build"}'), bytes.length)
  assert.equal(added('quayside_storage_transferred_bytes_total{direction="upload"}'), puts * bytes.length)
  if (!storesInS3) assert.equal(later.get('quayside_storage_active_transfers{direction="upload"}'), 0)
  assert.ok(added('quayside_database_statement_duration_seconds_count') > 5)
})

test('reports the state of the database, the queue, webhooks and the disk', async () => {
  const found = await samples()
  assert.equal(found.get('quayside_ready'), 1)
  assert.ok((found.get('quayside_database_connections{state="idle"}') ?? 0) > 0)
  assert.equal(found.get('quayside_queued_jobs{job="mails.drop",state="due"}'), 0)
  const dueRequests = found.get('quayside_due_webhook_requests')
  assert.equal(dueRequests, await countWaitingRequests())
  assert.equal((found.get('quayside_storage_disk_usable_bytes') ?? 0) > 0, !storesInS3)
  assert.ok(found.has('process_cpu_seconds_total'))
  assert.ok(found.has('nodejs_eventloop_lag_p99_seconds'))
  assert.ok([...found.keys()].some((name) => name.startsWith('quayside_build_info{version="')))
})

test('has every metric that the dashboard and the alert rules use', async () => {
  const text = await (await request({ authorization: `Bearer ${token}` })).text()
  const declared = new Set(text.matchAll(/^# TYPE (\w+)/gm).map(([, name]) => name))
  const expressions = await monitoringExpressions()
  assert.ok(expressions.length > 40)
  const used = expressions.flatMap((expression) => expression.match(/\b(quayside|process|nodejs)_\w+/g) ?? [])
  const unknown = used.filter((name) => !declared.has(name) && !declared.has(name.replace(/_bucket$/, '')))
  assert.deepEqual(unknown, [])
})

test('has alert rules that Prometheus accepts', { skip: !hasPromtool && 'requires promtool' }, () => {
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ]) {
    const { status, stderr } = spawnSync('promtool', args, { cwd: monitoringFolder, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }
})

test('uses no part of a request as a label', async () => {
  const secret = randomUUID()
  await fetch(`${service.url}/${secret}`, { method: 'PROPFIND' })
  await fetch(`${service.url}/api/v1/applications/${secret}/builds?search=${secret}`)
  await fetch(`${service.url}/storage/${secret}`)
  const names = [...(await samples()).keys()]
  assert.deepEqual(
    names.filter((name) => name.includes(secret) || name.includes('PROPFIND')),
    [],
  )
  assert.ok(names.includes('quayside_http_requests_total{method="other",route="unmatched",status="404"}'))
})

test('serves metrics without a token only at a separate address', async () => {
  const { port, close } = await listenForMetrics(
    { host: '127.0.0.1', port: 0 },
    createMetricsHandler({ render: async () => 'up 1\n' }),
  )
  try {
    const url = `http://127.0.0.1:${port}`
    assert.equal(await (await fetch(`${url}/metrics`)).text(), 'up 1\n')
    assert.equal((await fetch(`${url}/api/v1/applications`)).status, 404)
    await assert.rejects(
      listenForMetrics({ host: '127.0.0.1', port }, () => {}),
      /Cannot serve metrics .*EADDRINUSE.*QUAYSIDE_METRICS_PORT/,
    )
  } finally {
    await close()
  }
})

test('measures jobs', async () => {
  await service.deps.queue.enqueue(service.deps.db, countBuilds, {})
  const sample = 'quayside_job_duration_seconds_count{job="builds.count"}'
  await until('the job has run', async () => ((await samples()).get(sample) ?? 0) > 0)
})

test('sends spans of jobs and of requests with their statements, and continues the trace of the client', async () => {
  const path = `/applications/${fixture.applicationId}/builds`
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const { status } = await service.call('GET', path, {
    key: fixture.applicationKey,
    headers: { traceparent },
  })
  assert.equal(status, 200)
  await service.stop()
  const trace = spans.filter((span) => span.traceId === traceId)
  const root = trace.find(({ name }) => name === 'GET /api/v1/applications/:application_id/builds')
  assert.equal(root?.parentSpanId, 'b7ad6b7169203331')
  assert.ok(trace.some(({ name, parentSpanId }) => name === 'select' && parentSpanId === root?.spanId))
  const upload = spans.find(({ name }) => name === 'POST /api/v1/upload/verify')
  assert.ok(spans.some((span) => span.name === 'storage seal' && span.traceId === upload?.traceId))
  assert.equal(
    spans.some(({ name }) => name === 'PUT /storage/*'),
    !storesInS3,
  )
  assert.ok(spans.some(({ name }) => name === 'job builds.count'))
  assert.ok(!JSON.stringify(spans).includes(fixture.applicationId), 'values of statements are not recorded')
})
