import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { placeOf } from '../packages/server/src/features/channels/rollouts/rollout-rules.ts'
import { freePort } from '../packages/server/test/acceptance/free-port.ts'
import type { BareFeed } from './bare-feed.server.ts'
import { fillBuilds } from './builds-data.ts'
import { backendsOfService, openDatabase, statementsDuring } from './database.ts'
import { httpLoad } from './load-clients.ts'
import { median, option, report, type Line } from './report.ts'
import { cpuSeconds, killOnExit, startService } from './service.ts'

// B14 compares complete and unchanged update feeds with a bare Fastify route that sends the same response, and a feed with
// many versions with a feed with few. Then it simulates installed copies that ask once an hour during a rollout.
const rounds = option('rounds', 5)
const seconds = option('seconds', 3)
const clients = option('clients', 16)
const warmUpSeconds = option('warmup', 3)
const installed = option('installed', 1_000_000)
const simulatedSeconds = option('simulated-seconds', 60)
// Seven in ten builds are nightly builds, and almost each has its own version.
const buildsPerVersion = 1.5
const [few, many] = [option('few', 10), option('many', 5_000)]

const service = await startService({ QUAYSIDE_PUBLIC_RATE_LIMIT: '0' })
const database = openDatabase(service)

/** Creates a channel of nightly builds whose checksums are known. */
async function createChannel(versions: number) {
  const applicationId = await fillBuilds(service, database, Math.ceil(versions * buildsPerVersion))
  await database.pool.query(
    `update files set checksum_sha256 = repeat(md5(files.id::text), 2), checksum_sha1 = repeat('ab', 20),
      checksum_sha512 = repeat(md5(files.id::text), 4) from builds
    where builds.id = files.build_id and builds.application_id = $1`,
    [applicationId],
  )
  type Created = { data: { id: string } }
  const path = `/applications/${applicationId}/channels`
  const fields = { name: 'Nightly', stream: 'nightlies', formats: ['json', 'electron'] }
  const { data } = await service.api<Created>('POST', path, fields)
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(distinct version_sort)::int as count from builds join streams on streams.id = builds.stream_id
    where builds.application_id = $1 and streams.name = 'nightlies' and builds.deleted_at is null`,
    [applicationId],
  )
  return { id: data.id, rollout: `${path}/${data.id}/rollout`, versions: rows[0]?.count ?? 0 }
}

const channels = { few: await createChannel(few), many: await createChannel(many) }

async function startBareFeed(path: string) {
  const response = await fetch(`${service.origin}${path}`)
  const names = ['content-type', 'etag', 'cache-control', 'referrer-policy']
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name) ?? '']))
  const feed: BareFeed = { port: await freePort(), body: await response.text(), headers }
  const child = fork(join(import.meta.dirname, 'bare-feed.server.ts'))
  killOnExit(child)
  child.send(feed)
  await once(child, 'message')
  return {
    port: feed.port,
    etag: headers['etag'] ?? '',
    bytes: feed.body.length,
    pid: child.pid ?? 0,
    stop: () => child.kill(),
  }
}

const lines: Line[] = []
const rates: Record<string, object> = {}
const cpuTimes: Record<string, string> = {}
const paths = { 'latest version': 'json/latest.json', 'list of versions': 'json/versions.json' }
for (const [name, path] of Object.entries(paths)) {
  const ours = { port: service.port, path: `/u/${channels.many.id}/${path}` }
  const growing = { port: service.port, path: `/u/${channels.few.id}/${path}` }
  const feed = await startBareFeed(ours.path)
  const bare = { port: feed.port, path: '/feed' }
  for (const [kind, goal] of [
    ['unchanged', 0.7],
    ['complete', 0.5],
  ] as const) {
    const load = { clients, seconds, ...(kind === 'unchanged' && unchanged(feed.etag)) }
    const measured = { ours: [] as number[], bare: [] as number[], few: [] as number[] }
    for (const each of [ours, bare]) await httpLoad({ ...load, ...each, seconds: warmUpSeconds })
    const cpu = { ours: 0, bare: 0 }
    const measure = async (server: 'ours' | 'bare', pid: number, target: { port: number; path: string }) => {
      const before = await cpuSeconds([pid])
      const rate = await httpLoad({ ...load, ...target })
      measured[server].push(rate)
      cpu[server] += ((await cpuSeconds([pid])) - before) / (rate * seconds)
    }
    for (let round = 0; round < rounds; round++) {
      await measure('ours', service.pid, ours)
      await measure('bare', feed.pid, bare)
      if (kind === 'complete' && path.includes('latest'))
        measured.few.push(await httpLoad({ ...load, ...growing }))
    }
    rates[`${name}, ${kind}`] = measured
    const perRequest = (value: number) => `${((value / rounds) * 1e6).toFixed(0)} µs`
    cpuTimes[`CPU per request, ${name}, ${kind}`] =
      `server ${perRequest(cpu.ours)}, bare ${perRequest(cpu.bare)}`
    const line = { ours: median(measured.ours), unit: '/s' }
    const size = `${(feed.bytes / 1024).toFixed(1)} KiB`
    lines.push({
      ...line,
      name: `${name}, ${kind}, ${size}`,
      limit: median(measured.bare),
      limitName: 'bare',
      goal,
    })
    if (measured.few.length > 0)
      lines.push({
        ...line,
        name: `${channels.many.versions} versions`,
        limit: median(measured.few),
        limitName: `${channels.few.versions} versions`,
        goal: 0.9,
      })
  }
  feed.stop()
}

function unchanged(etag: string) {
  return { headers: { 'If-None-Match': etag }, status: 304 }
}

/** Asks as installed copies do that ask once an hour, each with its own ID and the tag of the document that it has. */
async function simulate() {
  const path = `/u/${channels.many.id}/json/latest.json`
  const newest = ((await (await fetch(`${service.origin}${path}`)).json()) as { version: string }).version
  await service.api('PATCH', channels.many.rollout, { version: newest, percentage: 20 })
  const dispatcher = new Agent({ connections: 64 })
  const tags = new Map<boolean, string>()
  let [offered, bytes, complete] = [0, 0, 0]
  const ask = async (number: number) => {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    const isOffered = placeOf(`${channels.many.id}:${newest}`, id) < 20
    const tag = tags.get(isOffered)
    const headers = { 'x-quayside-client': id, ...(tag !== undefined && { 'if-none-match': tag }) }
    const startMs = performance.now()
    const response = await request(`${service.origin}${path}`, { dispatcher, headers })
    bytes += (await response.body.arrayBuffer()).byteLength
    if (![200, 304].includes(response.statusCode)) throw new Error(`${response.statusCode}`)
    if (isOffered) offered++
    if (response.statusCode === 200) {
      complete++
      tags.set(isOffered, response.headers['etag']?.toString() ?? '')
    }
    return performance.now() - startMs
  }
  const perSecond = installed / 3600
  const backends = [...(await backendsOfService(database.pool))]
  const before = { server: await cpuSeconds([service.pid]), database: await cpuSeconds(backends) }
  const count = Math.max(Math.round(perSecond * simulatedSeconds), 1)
  const startMs = performance.now()
  const asked: Promise<number>[] = []
  for (let number = 0; number < count; number++) {
    const dueMs = startMs + (number / perSecond) * 1000
    if (dueMs > performance.now()) await pause(dueMs - performance.now())
    asked.push(ask(Math.floor(Math.random() * installed)))
  }
  const times = (await Promise.all(asked)).toSorted((a, b) => a - b)
  const tookSeconds = (performance.now() - startMs) / 1000
  const server = (await cpuSeconds([service.pid])) - before.server
  const backend = (await cpuSeconds(backends)) - before.database
  const statements = await statementsDuring(database, async () => {
    for (let number = 0; number < 20; number++) await ask(number)
  })
  return {
    [`${installed} installed copies`]: `${(count / tookSeconds).toFixed(0)} requests/s for ${tookSeconds.toFixed(0)} s`,
    'CPU of the server, of one core': `${((server / tookSeconds) * 100).toFixed(1)} %, ${((server / count) * 1000).toFixed(2)} ms per request`,
    'CPU of the database, of one core': `${((backend / tookSeconds) * 100).toFixed(1)} %`,
    'statements for 20 requests': statements.length,
    'median and 95th percentile, ms': `${times[Math.floor(count / 2)]?.toFixed(1)} and ${times[Math.floor(count * 0.95)]?.toFixed(1)}`,
    'bytes of documents per request': Math.round(bytes / count),
    'complete documents': complete,
    'copies that are offered the rollout': `${((offered / (count + 20)) * 100).toFixed(1)} % of 20 %`,
  }
}

const simulated = await simulate()
const peakMemoryMb = await service.peakMemoryMb()
await report('B14', lines, {
  clients,
  ...cpuTimes,
  ...simulated,
  'peak server memory, MB': peakMemoryMb,
  rates,
})
await database.close()
await service.stop()
