import { fillBuilds } from './builds-data.ts'
import { backendsOfService, openDatabase, statementsDuring } from './database.ts'
import { httpLoad } from './load-clients.ts'
import { pgbench } from './pgbench.ts'
import { median, option, report, type Line } from './report.ts'
import { cpuSeconds, startService } from './service.ts'
import { createApiKey } from './uploads.ts'

// B1: requests for a filtered page of 15 builds with the total, compared to pgbench running the same statements.
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
const key = await createApiKey(service, applicationId, 'builds:read')
const { port } = service

const lines: Line[] = []
const rates: Record<string, object> = {}
const cpu: Record<string, string> = {}
for (const [name, query] of Object.entries(lists)) {
  const path = `/api/v1/applications/${applicationId}/builds?${query}`
  for (let run = 0; run < 10; run++) await httpLoad({ port, path, key, clients, seconds: 0 })
  // One client sends several requests, so that most of them find the key in the cache.
  const logged = await statementsDuring(database, () =>
    httpLoad({ port, path, key, clients: 1, seconds: 0.2 }),
  )
  const statements = statementsOfOneRequest(logged)
  const measured = { ours: [] as number[], pgbench: [] as number[] }
  const cpuTotals = { server: 0, database: 0, requests: 0 }
  const backends = [...(await backendsOfService(database.pool))]
  // The first round warms up the caches and the JIT compiler and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const before = [await cpuSeconds([service.pid]), await cpuSeconds(backends)] as const
    const ours = await httpLoad({ port, path, key, clients, seconds })
    const after = [await cpuSeconds([service.pid]), await cpuSeconds(backends)] as const
    const limit = await pgbench({ ...database, statements, clients, seconds })
    if (round === 0) continue
    measured.ours.push(ours)
    measured.pgbench.push(limit)
    cpuTotals.server += after[0] - before[0]
    cpuTotals.database += after[1] - before[1]
    cpuTotals.requests += ours * seconds
  }
  const perRequest = (cpu: number): string => `${((cpu / cpuTotals.requests) * 1000).toFixed(2)} ms`
  cpu[`CPU per request, ${name}`] =
    `server ${perRequest(cpuTotals.server)}, database ${perRequest(cpuTotals.database)}`
  const ours = median(measured.ours)
  const limit = median(measured.pgbench)
  lines.push({ name, ours, limit, limitName: 'pgbench', unit: '/s', goal: 0.7 })
  rates[name] = { ...measured, statements: statements.map(({ text }) => text) }
}
const peakMemoryMb = await service.peakMemoryMb()
await report('B1', lines, { builds, clients, ...cpu, 'peak server memory, MB': peakMemoryMb, rates })
await database.close()
await service.stop()

/** Returns the statements that every request executes. The page and its total may be logged in either order. */
function statementsOfOneRequest(logged: Awaited<ReturnType<typeof statementsDuring>>) {
  const counts = Map.groupBy(logged, ({ text }) => text)
  const maxCount = Math.max(...[...counts.values()].map((all) => all.length))
  const statements = [...counts.values()].filter((all) => all.length > maxCount / 2).map(([first]) => first)
  return statements.filter((statement) => statement !== undefined)
}
