import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { bareCycles, prepareBareCycle, syncsInCycle } from './bare-cycle.ts'
import { run, seconds as secondsOf } from './commands.ts'
import { openDatabase, statementsDuring, untilInspected } from './database.ts'
import { uploadCycles } from './load-clients.ts'
import { median, option, report, type Line } from './report.ts'
import { killOnExit, startService } from './service.ts'
import { createApiKey, createApplication } from './uploads.ts'

// B5 compares the rate of upload cycles (request, PUT of 1 KiB, verify) to that of bare cycles, which consist only of the
// necessary fsyncs and transactions.
const rounds = option('rounds', 5)
const seconds = option('seconds', 4)
const countedCycles = option('counted-cycles', 50)
const warmupSeconds = option('warmup', 2)

const service = await startService()
const { origin } = service
const database = openDatabase(service)
const { pool } = database
const applicationId = await createApplication(service)
const load = { origin, key: await createApiKey(service, applicationId, 'builds:create'), applicationId }

await uploadCycles({ ...load, clients: 16, seconds: warmupSeconds })
await untilInspected(pool)
const logged = await statementsDuring(database, () =>
  uploadCycles({ ...load, clients: 1, seconds: 60, maxCycles: 1 }),
)
const { rows } = await pool.query<{ id: string }>('select id from builds order by created_at desc limit 1')
const bare = await prepareBareCycle(pool, join(service.folder, 'data/bare'), logged, rows[0]?.id ?? '')
const counted = await countSyncs()

const lines: Line[] = []
const rates: Record<string, object> = {}
const drainSeconds: number[] = []
for (const clients of [1, 16]) {
  const measured = { ours: [] as number[], bare: [] as number[] }
  // The first round warms up the caches and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const ours = await uploadCycles({ ...load, clients, seconds })
    drainSeconds.push(await secondsOf(() => untilInspected(pool)))
    await skipReading()
    const limit = await bareCycles(bare.cycle, clients, seconds)
    await skipReading()
    if (round === 0) continue
    measured.ours.push(ours)
    measured.bare.push(limit)
  }
  const name = `cycles, ${clients} ${clients === 1 ? 'client' : 'clients'}`
  const limit = median(measured.bare)
  lines.push({ name, ours: median(measured.ours), limit, limitName: 'bare', unit: '/s', goal: 0.5 })
  rates[name] = measured
}
await report('B5', lines, {
  'bare cycle': `${syncsInCycle} fsyncs, ${bare.transactions} transactions of ${bare.statements} statements`,
  'service cycle': `${counted.files} fsyncs, ${counted.wal} WAL fsyncs`,
  'statements per service cycle': logged.length,
  'seconds until all builds were inspected, after each round': median(drainSeconds).toFixed(1),
  'peak server memory, MB': await service.peakMemoryMb(),
  rates,
})
await database.close()
await service.stop()

/**
 * Keeps background jobs from reading all builds so far, as they would during the next cycles. Those of bare cycles have no
 * files.
 */
async function skipReading(): Promise<void> {
  await pool.query('update build_readings set version = 1000000 where version < 1000000')
}

/** Counts the fsyncs per cycle. Uses strace for the service and PostgreSQL's statistics for the WAL. */
async function countSyncs() {
  const before = await walSyncs()
  const trace = await startStrace(service.pid)
  await uploadCycles({ ...load, clients: 1, seconds: 60, maxCycles: countedCycles })
  const files = await trace?.stop()
  await pause(1_500)
  const wal = (await walSyncs()) - before
  const perCycle = (count: number) => (count / countedCycles).toFixed(1)
  return {
    files: files === undefined ? 'uncounted (strace not installed)' : perCycle(files),
    wal: perCycle(wal),
  }
}

async function walSyncs(): Promise<number> {
  const { rows } = await pool.query<{ fsyncs: number }>(
    `select sum(fsyncs)::int as fsyncs from pg_stat_io where object = 'wal' and context = 'normal'`,
  )
  return rows[0]?.fsyncs ?? 0
}

async function startStrace(pid: number) {
  const strace = (await run('sh', ['-c', 'command -v strace']).catch(() => '')).trim()
  if (strace === '') return undefined
  const child = spawn(strace, ['-f', '-q', '-e', 'trace=fsync,fdatasync', '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  killOnExit(child)
  const output = text(child.stderr)
  await pause(500)
  return {
    async stop(): Promise<number | undefined> {
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
      return (await output).match(/\b(?:fsync|fdatasync)\(\d/g)?.length
    },
  }
}
