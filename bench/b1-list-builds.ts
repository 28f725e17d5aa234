import { startBareList } from './bare-list.ts'
import { fillBuilds } from './builds-data.ts'
import { backendsOfService, openDatabase } from './database.ts'
import { httpLoad, type HttpLoad } from './load-clients.ts'
import { startParse } from './peer-parse.ts'
import { median, option, report, textOption, type Line } from './report.ts'
import { cpuSeconds, startService } from './service.ts'
import { createApiKey } from './uploads.ts'

// B1 compares requests for a filtered page of 15 builds with its total to a bare route that returns the same builds, and to Parse
// Server, which also authenticates, filters, sorts and counts.
const rounds = option('rounds', 5)
const seconds = option('seconds', 3)
const clients = option('clients', 16)
const builds = option('builds', 100_000)
// Until the JIT compiler has optimized the code, each response needs several times as much CPU time as later ones.
const warmUpResponses = option('warmup', 2_000)
const folder = textOption('folder', '')
// Installing Parse Server takes longer than a short run.
const hasPeer = !process.argv.includes('--without-peer')

const service = await startService({}, folder === '' ? undefined : folder)
const database = openDatabase(service)
const applicationId = await fillBuilds(service, database, builds)
const key = await createApiKey(service, applicationId, 'builds:read')

/** Returns the ID of the application's stream, label or custom target with the given name. */
async function idOf(table: 'streams' | 'labels' | 'custom_targets', name: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from ${table} where application_id = $1 and name = $2`,
    [applicationId, name],
  )
  return rows[0]?.id ?? ''
}

const lists = {
  'stream and platform, newest first': {
    query: 'streams=nightlies&platforms=android&sort_by=created_at&sort=desc',
    filter: { streamIds: [await idOf('streams', 'nightlies')], platforms: ['android'] },
    orderBy: 'builds.created_at desc, builds.id desc',
    where: { stream: 'nightlies', platform: 'android' },
    order: '-createdAt,-objectId',
  },
  'stream, target, by version': {
    query: 'streams=stable&custom_targets=Kiosk&sort_by=version&sort=desc',
    filter: {
      streamIds: [await idOf('streams', 'stable')],
      customTargetIds: [await idOf('custom_targets', 'Kiosk')],
    },
    orderBy: 'builds.version_sort desc, builds.id desc',
    where: { stream: 'stable', customTarget: 'Kiosk' },
    order: '-versionSort,-objectId',
  },
  'label, by version': {
    query: 'labels=signed&sort_by=version&sort=desc',
    filter: { labelIds: [await idOf('labels', 'signed')] },
    orderBy: 'builds.version_sort desc, builds.id desc',
    where: { labels: { $all: ['signed'] } },
    order: '-versionSort,-objectId',
  },
  'platforms, by size': {
    query: 'platforms=ios,android&sort_by=size_total_bytes&sort=desc',
    filter: { platforms: ['ios', 'android'] },
    orderBy: 'builds.size_total_bytes desc, builds.id desc',
    where: { platform: { $in: ['ios', 'android'] } },
    order: '-sizeBytes,-objectId',
  },
  'source and branch, by build time': {
    query: 'sources=jenkins&branches=main&sort_by=built_at&sort=desc',
    filter: { sources: ['jenkins'], branches: ['main'] },
    orderBy: 'builds.built_at desc nulls last, builds.id desc',
    where: { source: 'jenkins', branch: 'main' },
    order: '-builtAt,-objectId',
  },
}

/** Measures the response rates of a server and the CPU time that the server and its database connections use. */
class Meter {
  readonly rates: number[] = []
  #responses = 0
  readonly #cpu = { server: 0, database: 0 }
  readonly #pids: { server: number[]; database: number[] }

  constructor(server: number, database: Iterable<number>) {
    this.#pids = { server: [server], database: [...database] }
  }

  async run(load: Pick<HttpLoad, 'port' | 'path' | 'headers'>): Promise<void> {
    const before = {
      server: await cpuSeconds(this.#pids.server),
      database: await cpuSeconds(this.#pids.database),
    }
    const rate = await httpLoad({ ...load, key, clients, seconds })
    this.rates.push(rate)
    this.#responses += rate * seconds
    this.#cpu.server += (await cpuSeconds(this.#pids.server)) - before.server
    this.#cpu.database += (await cpuSeconds(this.#pids.database)) - before.database
  }

  describeCpu(): string {
    const perResponse = (seconds: number) => `${((seconds / this.#responses) * 1000).toFixed(2)} ms`
    return `server ${perResponse(this.#cpu.server)}, database ${perResponse(this.#cpu.database)}`
  }
}

/** Returns the IDs of the builds that Parse Server lists. */
async function listedIds({
  port,
  path,
  headers,
}: Pick<HttpLoad, 'port' | 'path' | 'headers'>): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: headers ?? {} })
  const { results } = (await response.json()) as { results?: { objectId: string }[] }
  return (results ?? []).map(({ objectId }) => objectId)
}

const idsIn = (json: string): string[] => (JSON.parse(json) as { id: string }[]).map(({ id }) => id)

const pattern = new RegExp(textOption('only', ''))
const lines: Line[] = []
const rates: Record<string, object> = {}
const cpu: Record<string, string> = {}
const parse = hasPeer ? await startParse(database, applicationId) : undefined
for (const [name, { query, where, order, ...rows }] of Object.entries(lists)) {
  if (!pattern.test(name)) continue
  const path = `/applications/${applicationId}/builds?${query}`
  const ours = { port: service.port, path: `/api/v1${path}` }
  const bare = await startBareList(database, applicationId, rows)
  const { data } = await service.api<{ data: { id: string }[] }>('GET', path)
  const peer = parse && { ...parse, path: parse.pathOf(where, order) }
  if (idsIn(bare.json).join() !== data.map(({ id }) => id).join())
    throw new Error(`${name}: the bare route returns different builds`)
  if (peer !== undefined && (await listedIds(peer)).join() !== data.map(({ id }) => id).join())
    throw new Error(`${name}: Parse Server returns different builds`)
  // Warming up also fills the caches and opens all database connections.
  for (const load of [ours, bare, ...(peer === undefined ? [] : [peer])])
    for (let responses = 0; responses < warmUpResponses;)
      responses += (await httpLoad({ ...load, key, clients, seconds })) * seconds
  const meters = {
    ours: new Meter(service.pid, await backendsOfService(database.pool)),
    bare: new Meter(bare.pid, await bare.backends()),
    peer: peer && new Meter(peer.pid, await peer.backends()),
  }
  for (let round = 0; round < rounds; round++) {
    await meters.ours.run(ours)
    await meters.bare.run(bare)
    if (peer !== undefined) await meters.peer?.run(peer)
  }
  await bare.stop()
  cpu[`CPU per request, ${name}`] = `${meters.ours.describeCpu()}; bare ${meters.bare.describeCpu()}`
  rates[name] = { ours: meters.ours.rates, bare: meters.bare.rates }
  const limit = median(meters.bare.rates)
  const line = { name, ours: median(meters.ours.rates), unit: '/s' }
  lines.push({ ...line, limit, limitName: 'bare', goal: 0.6 })
  if (meters.peer === undefined) continue
  rates[name] = { ...rates[name], parse: meters.peer.rates }
  cpu[`CPU per request, ${name}, Parse Server`] = meters.peer.describeCpu()
  lines.push({ ...line, limit: median(meters.peer.rates), limitName: 'Parse Server' })
}
await parse?.stop()
const peakMemoryMb = await service.peakMemoryMb()
await report('B1', lines, { builds, clients, ...cpu, 'peak server memory, MB': peakMemoryMb, rates })
await database.close()
await service.stop()
