import { fillBuilds } from './builds-data.ts'
import { cpuSeconds } from './cpu-time.ts'
import { backendsOfService, openDatabase, statementsDuring } from './database.ts'
import { httpLoad } from './http-load.ts'
import { pgbench } from './pgbench.ts'
import { median, option, report, type Line } from './report.ts'
import { startService } from './service.ts'

// B1: a page of 15 of the build list with filters and its total, beside pgbench running the same statements.
const rounds = option('rounds', 5)
const seconds = option('seconds', 3)
const clients = option('clients', 16)
const builds = option('builds', 100_000)

const lists: Record<string, string> = {
  'stream and platform, newest first': 'streams=nightlies&platforms=android&sort_by=created_at&sort=desc',
  'stream, target, by version': 'streams=stable&custom_targets=Kiosk&sort_by=version&sort=desc',
  'label, by version': 'labels=signed&sort_by=version&sort=desc',
  'platforms, by size': 'platforms=ios,android&sort_by=size_total_bytes&sort=desc',
  'source and branch, by build time': 'sources=jenkins&branches=main&sort_by=built_at&sort=desc',
}

const service = await startService()
const database = openDatabase(service)
const applicationId = await fillBuilds(service, database.pool, builds)
const { data } = await service.api<{ data: { key: string } }>(
  'POST',
  `/applications/${applicationId}/api-keys`,
  { name: 'B1', scopes: ['builds:read'] },
)
const { port } = service
const { key } = data

const lines: Line[] = []
const rates: Record<string, object> = {}
const cpu: Record<string, string> = {}
for (const [what, query] of Object.entries(lists)) {
  const path = `/api/v1/applications/${applicationId}/builds?${query}`
  const ask = () => httpLoad({ port, path, key, clients, seconds: 0 })
  for (let times = 0; times < 10; times++) await ask()
  // one client more than once, so that the key is remembered: its look-up, once a second, is not part of a request
  const logged = await statementsDuring(database, () =>
    httpLoad({ port, path, key, clients: 1, seconds: 0.2 }),
  )
  const statements = ofOneRequest(logged)
  const measured = { ours: [] as number[], pgbench: [] as number[] }
  const spent = { server: 0, database: 0, requests: 0 }
  const backends = [...(await backendsOfService(database.pool))]
  // the first round warms caches and compilers and is not counted
  for (let round = 0; round <= rounds; round++) {
    const before = [await cpuSeconds([service.pid]), await cpuSeconds(backends)] as const
    const ours = await httpLoad({ port, path, key, clients, seconds })
    const after = [await cpuSeconds([service.pid]), await cpuSeconds(backends)] as const
    const limit = await pgbench({ ...database, statements, clients, seconds })
    if (round === 0) continue
    measured.ours.push(ours)
    measured.pgbench.push(limit)
    spent.server += after[0] - before[0]
    spent.database += after[1] - before[1]
    spent.requests += ours * seconds
  }
  const perRequest = (cpu: number): string => `${((cpu / spent.requests) * 1000).toFixed(2)} ms`
  cpu[`CPU a request, ${what}`] = `server ${perRequest(spent.server)}, database ${perRequest(spent.database)}`
  const ours = median(measured.ours)
  const limit = median(measured.pgbench)
  lines.push({ what, ours, limit, limitIs: 'pgbench', unit: '/s', goal: 0.7 })
  rates[what] = { ...measured, statements: statements.map(({ text }) => text) }
}
await report('B1', lines, {
  builds,
  clients,
  ...cpu,
  'peak memory of the server, MB': await service.peakMemoryMb(),
  rates,
})
await database.close()
await service.stop()

/** What each request sends again; the page and its total may come in either order. */
function ofOneRequest(logged: Awaited<ReturnType<typeof statementsDuring>>) {
  const counts = Map.groupBy(logged, ({ text }) => text)
  const most = Math.max(...[...counts.values()].map((all) => all.length))
  const statements = [...counts.values()].filter((all) => all.length > most / 2).map(([first]) => first)
  return statements.filter((statement) => statement !== undefined)
}
