import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { findServerAccount } from './account.ts'
import { clusterFolderOf, ensureCluster } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import { findNativePackage } from './native-package.ts'
import { copyLocations, findRunnableProgram } from './program.ts'
import { openSocketFolder } from './socket-folder.ts'
import { type Log, Supervisor } from './supervisor.ts'

export { EmbeddedPostgresError } from './error.ts'

export type EmbeddedPostgres = {
  /** Valid only in this process, because the socket path may refer to one of its open files. */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** The folder with the files of the database. */
  dataLocation: string
  /** The pid of the running server; undefined during a restart. */
  pid: () => number | undefined
  /** Shuts the server down gracefully; all its processes have exited when the promise resolves. */
  stop: () => Promise<void>
}

type StartOptions = {
  dataDir: string
  /** The name of the database, of its owner and of the folder for shared copies of the programs. */
  name: string
  log: Log
  /** Added to the default settings. */
  settings?: Record<string, string>
}

const validName = /^[a-z][a-z0-9_]{0,62}$/

/**
 * Starts PostgreSQL 18 on `dataDir`/postgres, reachable only through a Unix socket, and restarts it whenever it
 * exits. Creates the database on the first start; stops a server that a killed service left behind. The caller must
 * hold a lock on the data folder. Throws EmbeddedPostgresError.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const text = `PostgreSQL cannot be started in ${options.dataDir}: ${reason}.`
    throw new EmbeddedPostgresError('failed', text, { cause: error })
  }
}

async function start({ dataDir, name, log, settings = {} }: StartOptions): Promise<EmbeddedPostgres> {
  if (!validName.test(name)) throw new Error(`the name ${name} must match ${validName.source}`)
  const { platform, arch } = process
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const absolute = await realpath(dataDir)
  const folder = clusterFolderOf(absolute)
  const nativePackage = await findNativePackage(platform, arch)
  const account = await findServerAccount(folder, name)
  const programFolder = await findRunnableProgram(
    nativePackage,
    account,
    copyLocations(account, absolute, name),
  )
  const isNew = await ensureCluster({ dataDir: absolute, name, programFolder, account, platform })

  const socket = await openSocketFolder(folder, platform)
  const logFile = join(absolute, 'postgres.log')
  const supervisor = new Supervisor(
    { folder, socketFolder: socket.path, logFile, programFolder, account, platform, settings },
    log,
  )
  // PostgreSQL does not support TLS on Unix sockets, even if PGSSLMODE requires it.
  const connection = { host: socket.path, port: 5432, user: name, database: name, ssl: false } as const
  const stop = () => supervisor.stop().finally(() => socket.close())
  try {
    await supervisor.start()
    await createDatabase(connection)
  } catch (error) {
    await stop()
    throw error
  }
  const details = { dataLocation: folder, programFolder, serverUserId: account.uid }
  log.info(details, `PostgreSQL is running; its ${isNew ? 'new ' : ''}database is in ${folder}`)
  return { connection, dataLocation: folder, pid: () => supervisor.pid, stop }
}

async function createDatabase(connection: EmbeddedPostgres['connection']): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
      connection.database,
    ])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const text = `PostgreSQL is running but does not accept connections: ${reason}`
    throw new EmbeddedPostgresError('no_connection', text, { cause: error })
  } finally {
    await client.end().catch(() => {})
  }
}
