import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connectDatabase } from '../src/database/connect.ts'
import { clusterName, endServerProcesses, sendSignal } from '../src/database/embedded-postgres/processes.ts'
import { startEmbeddedPostgres } from '../src/database/embedded-postgres/start.ts'
import { migrate } from '../src/database/migrate.ts'

export type ServerConnection = { host: string; port: number; user: string; database: string; ssl?: false }

export type TestServer = {
  connection: ServerConnection
  dataDir: string
  pid: number
  stop: () => Promise<void>
}

/** Migrated once; each test file works on a copy of it. */
export const templateDatabase = 'quayside_template'

const prefix = 'quayside-test-'
const memoryFolder = '/dev/shm'
const memoryNeededBytes = 2 ** 31
const quiet = { info: () => {}, warn: console.warn, error: console.error }
// Nothing of a test run outlives it: what a power cut would do to it is no concern.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  autovacuum: 'off',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
}

export async function startTestServer(): Promise<TestServer> {
  const parent = await quickestFolder()
  await removeAbandoned(parent)
  const dataDir = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  const server = await startEmbeddedPostgres({ dataDir, log: quiet, settings })
  const maintenance = new pg.Client({ ...server.connection, database: 'postgres' })
  await maintenance.connect()
  await maintenance.query(`create database ${templateDatabase}`)
  await maintenance.end()

  const connection = { ...server.connection, database: templateDatabase }
  const { pool, close } = connectDatabase({ connection, maxConnections: 1, log: quiet })
  await migrate(pool, join(import.meta.dirname, '../migrations'))
  await close()
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { connection: server.connection, dataDir, pid: server.pid() as number, stop }
}

/** A copy of the template makes 300 files: 0.5 s on the disk of a small machine, a tenth of it in memory. */
async function quickestFolder(): Promise<string> {
  const found = await statfs(memoryFolder).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize > memoryNeededBytes ? memoryFolder : tmpdir()
}

/** Runs that were killed leave a server and its folder. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const owner = /^quayside-test-(\d+)-/.exec(name)?.[1]
    if (owner === undefined || sendSignal(Number(owner), 0)) continue
    const dataDir = join(parent, name)
    try {
      await endServerProcesses(await clusterName(join(dataDir, 'postgres')), 0)
    } catch {
      // killed before there was a database
    }
    await rm(dataDir, { recursive: true, force: true }).catch(() => {})
  }
}
