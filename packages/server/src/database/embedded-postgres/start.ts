import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { Problem } from '../../lib/problem.ts'
import { serverAccount } from './account.ts'
import { clusterFolderOf, provideCluster } from './cluster.ts'
import { findNativePackage } from './native-package.ts'
import { copyPlaces, runnableProgram } from './program.ts'
import { openSocketFolder } from './socket-folder.ts'
import { type Log, Supervisor } from './supervisor.ts'

export type EmbeddedPostgres = {
  /** For this process; the path of the socket may end with it. */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** The folder with the database's files. */
  dataLocation: string
  /** Of the server now running; undefined while it is being started again. */
  pid: () => number | undefined
  /** Shuts the server down in order and waits; nothing of it runs afterwards. */
  stop: () => Promise<void>
}

type StartOptions = {
  dataDir: string
  log: Log
  /** Added to ours; for tests. */
  settings?: Record<string, string>
}

/**
 * Starts PostgreSQL 18 on `dataDir`/postgres, reached by a Unix socket alone, and starts it again whenever it
 * ends by itself. Makes the database at the first start; ends a server that a killed service left behind.
 * The caller holds the lock on the data folder. Throws a Problem meant to be read by the operator.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    if (error instanceof Problem) throw error
    const said = error instanceof Error ? error.message : String(error)
    const text = `PostgreSQL can not be started in ${options.dataDir}: ${said}. (DATABASE_URL names a server of yours instead.)`
    throw new Problem('unavailable', 'embedded_postgres.failed', text, { cause: error })
  }
}

async function start({ dataDir, log, settings = {} }: StartOptions): Promise<EmbeddedPostgres> {
  const { platform, arch } = process
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const absolute = await realpath(dataDir)
  const folder = clusterFolderOf(absolute)
  const nativePackage = await findNativePackage(platform, arch)
  const account = await serverAccount(folder)
  const programFolder = await runnableProgram(nativePackage, account, copyPlaces(account, absolute))
  const isNew = await provideCluster({ dataDir: absolute, programFolder, account, platform })

  const socket = await openSocketFolder(folder, platform)
  const logFile = join(absolute, 'postgres.log')
  const supervisor = new Supervisor(
    { folder, socketFolder: socket.path, logFile, programFolder, account, platform, settings },
    log,
  )
  // ssl: whatever PGSSLMODE asks for elsewhere, there is none on a Unix socket
  const connection = {
    host: socket.path,
    port: 5432,
    user: 'quayside',
    database: 'quayside',
    ssl: false,
  } as const
  const stop = () => supervisor.stop().finally(() => socket.close())
  try {
    await supervisor.start()
    await createDatabase(connection)
  } catch (error) {
    await stop()
    throw error
  }
  const details = { dataLocation: folder, programFolder, serverUserId: account.uid }
  log.info(details, `PostgreSQL runs; its ${isNew ? 'new ' : ''}database lies in ${folder}`)
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
    const said = error instanceof Error ? error.message : String(error)
    throw new Problem(
      'unavailable',
      'embedded_postgres.no_entry',
      `PostgreSQL runs but does not answer: ${said}`,
      {
        cause: error,
      },
    )
  } finally {
    await client.end().catch(() => {})
  }
}
