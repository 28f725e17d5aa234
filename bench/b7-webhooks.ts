import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { backendsOfService, openDatabase } from './database.ts'
import { postLoop, uploadCycles } from './load-clients.ts'
import { median, option, report, type Line } from './report.ts'
import { cpuSeconds, startService } from './service.ts'
import { createApiKey, createApplication, requestUpload } from './uploads.ts'

// B7 measures the time from the response of a verify call to the webhook request. It also compares the webhook requests
// per second of a queue to those of a loop that sends the same body with the same number of connections.
const rounds = option('rounds', 5)
const latencyCount = option('builds', 200)
const deliveryCount = option('deliveries', 10_000)
const warmupSeconds = option('warmup', 2)
const webhooks = 10
const connections = 60

const receivedAt = new Map<string, number>()
const received = { count: 0 }
let lastBody = ''
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    if (request.url === '/latency') {
      const { data } = JSON.parse(body) as { data: { build: { id: string } } }
      receivedAt.set(data.build.id, performance.now())
      lastBody = body
    }
    received.count++
    response.end('ok')
  })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

const service = await startService({ QUAYSIDE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' })
const database = openDatabase(service)
const applicationId = await createApplication(service)
const key = await createApiKey(service, applicationId, 'builds:create')
await uploadCycles({ origin: service.origin, key, applicationId, clients: 4, seconds: warmupSeconds })

const delays = await measureDelays()
const { ours, loop, serverCpuMs, databaseCpuMs } = await measureRates()
const delayMs = median(delays)
const lines: Line[] = [
  { name: 'verify → webhook, median', ours: 50, limit: delayMs, limitName: 'measured', unit: 'ms', goal: 1 },
  {
    name: 'webhook requests',
    ours: median(ours),
    limit: median(loop),
    limitName: 'loop',
    unit: '/s',
    goal: 0.25,
  },
]
const sorted = delays.toSorted((a, b) => a - b)
await report('B7', lines, {
  'verify → webhook, median ms': Number(delayMs.toFixed(1)),
  'verify → webhook, p95 ms': Number((sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1)),
  'CPU of the server per webhook request, ms': Number(median(serverCpuMs).toFixed(2)),
  'CPU of the database per webhook request, ms': Number(median(databaseCpuMs).toFixed(2)),
  delays,
  rates: { ours, loop },
})
await database.close()
await service.stop()
receiver.close()

/** Uploads builds one after another. Returns the milliseconds from each verify response to the webhook request. */
async function measureDelays(): Promise<number[]> {
  const path = `/applications/${applicationId}/webhooks`
  const body = { url: `${origin}/latency`, event: 'build.created' }
  const { data: webhook } = await service.api<{ data: { id: string } }>('POST', path, body)
  const bytes = Buffer.alloc(1024, 'quayside')
  const measured: number[] = []
  for (let patch = 1; patch <= latencyCount; patch++) {
    const { pending_upload_id, primary_file } = await requestUpload(
      service,
      applicationId,
      bytes.length,
      patch,
    )
    await fetch(primary_file.presigned_data.url, { method: 'PUT', body: bytes })
    const verified = await service.api<{ build_id: string }>('POST', '/upload/verify', { pending_upload_id })
    const verifiedAt = performance.now()
    while (!receivedAt.has(verified.build_id)) await pause(1)
    measured.push(Math.max(0, (receivedAt.get(verified.build_id) ?? 0) - verifiedAt))
  }
  await service.api('DELETE', `${path}/${webhook.id}`)
  return measured
}

/** Measures how fast a queue of requests is sent, alternating with the loop. The first round is not counted. */
async function measureRates() {
  const measured = {
    ours: [] as number[],
    loop: [] as number[],
    serverCpuMs: [] as number[],
    databaseCpuMs: [] as number[],
  }
  const path = `/applications/${applicationId}/webhooks`
  for (let webhook = 0; webhook < webhooks; webhook++)
    await service.api('POST', path, { url: `${origin}/${webhook}`, event: 'build.created' })
  for (let round = 0; round <= rounds; round++) {
    const { rate: ours, serverCpuMs, databaseCpuMs } = await sendQueue()
    const loop = await postLoop({
      url: `${origin}/loop`,
      body: lastBody,
      clients: connections,
      count: deliveryCount,
    })
    if (round === 0) continue
    measured.ours.push(ours)
    measured.loop.push(loop)
    measured.serverCpuMs.push(serverCpuMs)
    measured.databaseCpuMs.push(databaseCpuMs)
  }
  return measured
}

/** Queues requests with the body of a real event. Returns the requests per second and the CPU time of a request. */
async function sendQueue() {
  received.count = 0
  await database.pool.query(
    `insert into webhook_requests (id, webhook_id, event_id, event, url, request_payload, next_attempt_at)
    select gen_random_uuid(), webhooks.id, gen_random_uuid(), 'build.created', webhooks.url, $1::jsonb, now()
    from webhooks, generate_series(1, $2::int)`,
    [lastBody, deliveryCount / webhooks],
  )
  const backends = [...(await backendsOfService(database.pool))]
  const before = { server: await cpuSeconds([service.pid]), database: await cpuSeconds(backends) }
  while (received.count === 0) await pause(1)
  const start = performance.now()
  while (received.count < deliveryCount) await pause(5)
  const rate = deliveryCount / ((performance.now() - start) / 1000)
  const perRequestMs = (used: number) => (used * 1000) / deliveryCount
  return {
    rate,
    serverCpuMs: perRequestMs((await cpuSeconds([service.pid])) - before.server),
    databaseCpuMs: perRequestMs((await cpuSeconds(backends)) - before.database),
  }
}
