import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase } from '../../packages/server/src/database/connect.ts'
import { untilInspected } from '../database.ts'
import { httpLoad, uploadCycles } from '../load-clients.ts'
import { cpuSeconds, startService, type Service } from '../service.ts'
import { type Installation, startDatabaseOf } from './installation.ts'

type Pool = ReturnType<typeof connectDatabase>['pool']

export type Load = {
  perSecond: number
  /** CPU time of a request, in milliseconds, in all nodes together and in the database. */
  nodeMs: number
  databaseMs: number
}

export type NodesResult = {
  nodes: number
  list: Load
  upload: Load
  /** What the nodes do without requests. */
  idle: { transactionsPerSecond: number; nodeCpuPercent: number; databaseCpuPercent: number }
  connections: number
  memoryMb: number
}

const clientsPerRun = 12

/** Measures one, two, … nodes on the database of an installation with the same total load. */
export async function measureNodes(
  { folder, steady }: Installation,
  { most, seconds }: { most: number; seconds: number },
): Promise<NodesResult[]> {
  const database = await startDatabaseOf(folder)
  const { host } = database.connection
  const url = `postgres://quayside@localhost/quayside?host=${encodeURIComponent(host)}`
  const settings = { DATABASE_URL: url, QUAYSIDE_LOG_LEVEL: 'error' }
  const log = { warn: console.warn }
  const own = connectDatabase({ connection: database.connection, maxConnections: 1, log })
  const services: Service[] = []
  const results: NodesResult[] = []
  try {
    for (let nodes = 1; nodes <= most; nodes++) {
      services.push(await startService(settings, folder))
      results.push(await measure(services, own.pool, { applicationId: steady, seconds }))
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    await own.close()
    await database.stop()
  }
  return results
}

async function measure(
  services: readonly Service[],
  pool: Pool,
  { applicationId, seconds }: { applicationId: string; seconds: number },
): Promise<NodesResult> {
  const clients = Math.ceil(clientsPerRun / services.length)
  const path = `/api/v1/applications/${applicationId}/builds?per_page=15&streams=nightlies&platforms=android`
  const total = async (rates: Promise<number>[]) =>
    (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0)
  const list = () => total(services.map(({ port, key }) => httpLoad({ port, path, key, clients, seconds })))
  const upload = () =>
    total(
      services.map(({ origin, key }) =>
        uploadCycles({ origin, key, applicationId, platform: 'linux', clients, seconds }),
      ),
    )
  // The first requests fill caches and compile code.
  await list()
  const listed = await loadDuring(services, pool, list)
  const uploaded = await loadDuring(services, pool, upload)
  await untilInspected(pool)
  const transactions = await countTransactions(pool)
  const idle = await cpuDuring(services, pool, () => pause(seconds * 1_000))
  const { rows } = await pool.query<{ connections: number }>(
    `select count(*)::int as connections from pg_stat_activity where backend_type = 'client backend'`,
  )
  const perSecond = ((await countTransactions(pool)) - transactions) / idle.seconds
  const memory = await Promise.all(services.map((service) => service.peakMemoryMb()))
  return {
    nodes: services.length,
    list: listed,
    upload: uploaded,
    idle: {
      transactionsPerSecond: perSecond,
      nodeCpuPercent: (idle.nodes / idle.seconds / services.length) * 100,
      databaseCpuPercent: (idle.database / idle.seconds) * 100,
    },
    connections: (rows[0]?.connections ?? 1) - 1,
    memoryMb: Math.max(...memory),
  }
}

async function loadDuring(services: readonly Service[], pool: Pool, work: () => Promise<number>) {
  let perSecond = 0
  const cpu = await cpuDuring(services, pool, async () => {
    perSecond = await work()
  })
  const requests = perSecond * cpu.seconds
  return {
    perSecond,
    nodeMs: (cpu.nodes * 1_000) / requests,
    databaseMs: (cpu.database * 1_000) / requests,
  }
}

/** Returns the CPU seconds that the nodes and the database have used while `work` runs. */
async function cpuDuring(services: readonly Service[], pool: Pool, work: () => Promise<unknown>) {
  const nodes = services.map(({ pid }) => pid)
  const before = await processes(pool)
  const beforeSeconds = await cpuSeconds(before)
  const nodesBefore = await cpuSeconds(nodes)
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1_000
  const after = new Set([...before, ...(await processes(pool))])
  return {
    seconds,
    nodes: (await cpuSeconds(nodes)) - nodesBefore,
    database: (await cpuSeconds([...after])) - beforeSeconds,
  }
}

/** The processes of the database, with those that write to disk in the background. */
async function processes(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity')
  return rows.map(({ pid }) => pid)
}

async function countTransactions(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ transactions: number }>(
    `select (xact_commit + xact_rollback)::float8 as transactions from pg_stat_database
    where datname = current_database()`,
  )
  return rows[0]?.transactions ?? 0
}
