import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clusterName, sendSignal, stopServerProcesses } from '@quayside/embedded-postgres/processes'
import pg from 'pg'
import { connectDatabase } from '../src/database/connect.ts'
import { startEmbeddedDatabase } from '../src/database/embedded-database.ts'
import { migrate } from '../src/database/schema/migrate.ts'

export type ServerConnection = { host: string; port: number; user: string; database: string; ssl?: false }

export type TestServer = {
  connection: ServerConnection
  dataDir: string
  pid: number
  stop: () => Promise<void>
}

/** The database that is migrated once and copied for each test file. */
export const templateDatabase = 'quayside_template'

const prefix = 'quayside-test-'
const memoryFolder = '/dev/shm'
const memoryNeededBytes = 2 ** 31
const quiet = { info: () => {}, warn: console.warn, error: console.error }
// No data outlives a test run, so durability is not needed.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Each test process may run ten services at once, each with its own connection pool.
  max_connections: '1000',
  autovacuum: 'off',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
}
// Tests create databases and provoke deadlocks. The upgrade test disables foreign keys to load rows in any order.
const setup = [
  'alter role quayside createdb',
  'grant set on parameter deadlock_timeout, session_replication_role to quayside',
]

type Options = {
  /** Runs on the template database after the migrations. */
  complete?: (connection: ServerConnection) => Promise<void>
  /** The path at which to create a data folder whose database is a copy of the template database. */
  copyTo?: string | undefined
}

/** Starts a server that contains the template database. */
export async function startTestServer({
  complete = async () => {},
  copyTo,
}: Options = {}): Promise<TestServer> {
  const parent = await fastestFolder()
  await removeAbandonedServers(parent)
  const dataDir = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  if (copyTo !== undefined) {
    // The copy is made before `setup` changes the role, so the role is the same as in a database that a service creates.
    const first = await startEmbeddedDatabase({ dataDir, log: quiet, settings })
    await migrateDatabase(first.connection)
    await complete(first.connection)
    await first.stop()
    await promisify(execFile)('cp', ['-a', dataDir, copyTo])
  }
  const server = await startEmbeddedDatabase({ dataDir, log: quiet, settings, setup })
  const maintenance = new pg.Client({ ...server.connection, database: 'postgres' })
  await maintenance.connect()
  const source = copyTo === undefined ? 'template1' : server.connection.database
  await maintenance.query(`create database ${templateDatabase} template ${source}`)
  await maintenance.end()
  if (copyTo === undefined) {
    const connection = { ...server.connection, database: templateDatabase }
    await migrateDatabase(connection)
    await complete(connection)
  }
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { connection: server.connection, dataDir, pid: server.pid() as number, stop }
}

async function migrateDatabase(connection: ServerConnection): Promise<void> {
  const { pool, close } = connectDatabase({ connection, maxConnections: 1, log: quiet })
  await migrate(pool, join(import.meta.dirname, '../migrations'))
  await close()
}

/**
 * Returns an in-memory folder if possible. Copying the 300 template files takes 0.05 s in memory but 0.5 s on a slow
 * disk.
 */
async function fastestFolder(): Promise<string> {
  const found = await statfs(memoryFolder).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize > memoryNeededBytes ? memoryFolder : tmpdir()
}

/** Stops servers and deletes folders left behind by test runs that were killed. */
async function removeAbandonedServers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const owner = /^quayside-test-(\d+)-/.exec(name)?.[1]
    if (owner === undefined || sendSignal(Number(owner), 0)) continue
    const dataDir = join(parent, name)
    try {
      await stopServerProcesses(await clusterName(join(dataDir, 'postgres')), 0)
    } catch {
      // The run was killed before it created a database.
    }
    await rm(dataDir, { recursive: true, force: true }).catch(() => {})
  }
}
