import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { bareCycles, prepareBareCycle, syncsInCycle } from './bare-cycle.ts'
import { run } from './commands.ts'
import { openDatabase, statementsDuring } from './database.ts'
import { median, option, report, type Line } from './report.ts'
import { endWithUs, startService } from './service.ts'
import { uploadCycles } from './upload-cycles.ts'
import { createApplication } from './uploads.ts'

// B5: whole cycles of request, PUT of 1 KiB and verify, beside their fsyncs and transactions done bare.
const rounds = option('rounds', 5)
const seconds = option('seconds', 4)
const countedCycles = 50

const service = await startService()
const { origin } = service
const database = openDatabase(service)
const { pool } = database
const applicationId = await createApplication(service)
const { data } = await service.api<{ data: { key: string } }>(
  'POST',
  `/applications/${applicationId}/api-keys`,
  { name: 'B5', scopes: ['builds:create'] },
)
const load = { origin, key: data.key, applicationId }

await uploadCycles({ ...load, clients: 16, seconds: 2 })
const logged = await statementsDuring(database, () =>
  uploadCycles({ ...load, clients: 1, seconds: 60, cycles: 1 }),
)
const { rows } = await pool.query<{ id: string }>('select id from builds order by created_at desc limit 1')
const bare = await prepareBareCycle(pool, join(service.folder, 'data/bare'), logged, rows[0]?.id ?? '')
const counted = await countSyncs()

const lines: Line[] = []
const rates: Record<string, object> = {}
for (const clients of [1, 16]) {
  const measured = { ours: [] as number[], bare: [] as number[] }
  // the first round warms caches and is not counted
  for (let round = 0; round <= rounds; round++) {
    const ours = await uploadCycles({ ...load, clients, seconds })
    const limit = await bareCycles(bare.cycle, clients, seconds)
    if (round === 0) continue
    measured.ours.push(ours)
    measured.bare.push(limit)
  }
  const what = `cycles, ${clients} ${clients === 1 ? 'client' : 'clients'}`
  const limit = median(measured.bare)
  lines.push({ what, ours: median(measured.ours), limit, limitIs: 'bare', unit: '/s', goal: 0.6 })
  rates[what] = measured
}
await report('B5', lines, {
  'bare, a cycle': `${syncsInCycle} fsyncs, ${bare.transactions} transactions of ${bare.statements} statements`,
  'the service, a cycle': `${counted.files} fsyncs, ${counted.wal} of the write-ahead log`,
  'statements of the service, a cycle': logged.length,
  'peak memory of the server, MB': await service.peakMemoryMb(),
  rates,
})
await database.close()
await service.stop()

/** fsyncs of a cycle: the service's as strace sees them, those of the log as PostgreSQL counts them. */
async function countSyncs() {
  const before = await walSyncs()
  const counting = await startStrace(service.pid)
  await uploadCycles({ ...load, clients: 1, seconds: 60, cycles: countedCycles })
  const files = await counting?.stop()
  await pause(1_500)
  const wal = (await walSyncs()) - before
  const each = (count: number) => (count / countedCycles).toFixed(1)
  return { files: files === undefined ? 'uncounted (no strace)' : each(files), wal: each(wal) }
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
  endWithUs(child)
  const printed = text(child.stderr)
  await pause(500)
  return {
    async stop(): Promise<number | undefined> {
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
      const calls = (await printed).match(/\b(?:fsync|fdatasync)\(\d/g)
      return calls?.length
    },
  }
}
