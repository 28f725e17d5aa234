import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAccessFiles } from './access-files.ts'
import { currentUser, findServerAccount } from './account.ts'
import { clusterFolderOf, ensureCluster } from './cluster.ts'
import { DiskGuard } from './disk-guard.ts'
import { EmbeddedPostgresError } from './error.ts'
import { findNativePackage } from './native-package.ts'
import { hasOtherOwner, takeOwnership } from './ownership.ts'
import { pause, sendSignal } from './processes.ts'
import { copyLocations, findRunnableProgram } from './program.ts'
import { type Connection, prepareRoles, superuserCanConnect } from './roles.ts'
import { rejectSupervisedServer, requireFreeFolder } from './server-process.ts'
import { openSocketFolder } from './socket-folder.ts'
import { Supervisor } from './supervisor.ts'
import type { Log } from './types.ts'
import { isSharedUser } from './users.ts'

export { EmbeddedPostgresError } from './error.ts'

export type EmbeddedPostgres = {
  /** Valid only in this process, because the socket path may refer to one of its open files. */
  connection: Connection
  /** The directory that contains the database files. */
  dataLocation: string
  /** Returns the PID of the running server, or undefined during a restart. */
  pid: () => number | undefined
  /** Returns whether the database is read-only, because its disk has too little space or too few inodes. */
  isDiskFull: () => boolean
  /** Shuts the server down gracefully. Resolves when all of its processes have exited. */
  stop: () => Promise<void>
}

type StartOptions = {
  dataDir: string
  /** Used as the name of the database, of its owner and of the folder that holds shared copies of the binaries. */
  name: string
  log: Log
  /** PostgreSQL settings to add to the defaults. */
  settings?: Record<string, string>
  /** Statements that the superuser runs in the database `postgres` at each start, such as `alter role app createdb`. */
  setup?: readonly string[]
  /** Called once the server runs, before it accepts connections: the caller can do other work while it starts. */
  onSpawn?: () => void
  /** How long after the start disk space is reserved for PostgreSQL. */
  reserveAfterMs?: number
}

// PostgreSQL uses these names for its own databases and roles, and reserves role names that start with pg_.
const validName = /^(?!pg_|(?:postgres|postgres_upgrade|template[01])$)[a-z][a-z0-9_]{0,62}$/
const reloadTimeoutMs = 10_000
const defaultReserveAfterMs = 30_000

/**
 * Starts PostgreSQL 18 with its data in `dataDir`/postgres, reachable only through a Unix socket, and restarts it
 * whenever it exits. Creates the database on the first start. Stops a server that a killed service left behind. The
 * caller must hold a lock on the data folder. Throws EmbeddedPostgresError.
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

async function start(options: StartOptions): Promise<EmbeddedPostgres> {
  const {
    dataDir,
    name,
    log,
    settings = {},
    setup = [],
    onSpawn,
    reserveAfterMs = defaultReserveAfterMs,
  } = options
  if (!validName.test(name)) throw new Error(`the name ${name} must match ${validName.source}`)
  const { platform, arch } = process
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const absolute = await realpath(dataDir)
  const folder = clusterFolderOf(absolute)
  const nativePackage = await findNativePackage(platform, arch)
  const account = await findServerAccount(folder, name, log)
  await warnOfSharedUser(log, name)
  const programFolder = await findRunnableProgram(
    nativePackage,
    account,
    copyLocations(account, absolute, name),
  )
  const isNew = await ensureCluster({ dataDir: absolute, programFolder, account, platform })
  await rejectSupervisedServer(folder)

  const socket = await openSocketFolder(folder, platform)
  const logFile = join(absolute, 'postgres.log')
  const supervisor = new Supervisor(
    { folder, socketFolder: socket.path, logFile, programFolder, account, platform, settings, onSpawn },
    log,
  )
  // PostgreSQL does not support TLS on Unix sockets, so PGSSLMODE must not enable it.
  const connection = { host: socket.path, port: 5432, user: name, database: name, ssl: false } as const
  const access = { dataDir: absolute, folder, name, account }
  const pid = () => supervisor.pid
  const guard = new DiskGuard({ dataDir: absolute, folder, account, reserveAfterMs, pid, log })
  const stop = async () => {
    await guard.stop()
    await supervisor.stop().finally(() => socket.close())
  }
  try {
    if (await hasOtherOwner(folder, account)) {
      await requireFreeFolder({ folder, socketFolder: socket.path })
      await takeOwnership(folder, account)
      log.warn({ serverUserId: account.uid }, `the database in ${folder} now belongs to a dedicated user`)
    }
    await guard.prepare()
    await guard.withSpace(() => writeAccessFiles({ ...access, superuserCanConnect: true }))
    await guard.withSpace(() => supervisor.start())
    await prepareRoles(connection, setup)
    await guard.withSpace(() => writeAccessFiles({ ...access, superuserCanConnect: false }))
    await reloadAccessFiles(supervisor, connection)
    await guard.start()
  } catch (error) {
    await stop()
    await writeAccessFiles({ ...access, superuserCanConnect: false }).catch(() => {})
    throw error
  }
  const details = { dataLocation: folder, programFolder, serverUserId: account.uid }
  log.debug?.(details, `PostgreSQL is running; its ${isNew ? 'new ' : ''}database is in ${folder}`)
  return { connection, dataLocation: folder, pid, isDiskFull: () => guard.isFull, stop }
}

/**
 * Returns a connection to the server that another process of this user has started for `dataDir`. The connection is
 * valid until `close` is called. Does not check whether the server is running.
 */
export async function connectToRunningPostgres({
  dataDir,
  name,
}: Pick<StartOptions, 'dataDir' | 'name'>): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const socket = await openSocketFolder(clusterFolderOf(await realpath(dataDir)), process.platform)
  const connection = { host: socket.path, port: 5432, user: name, database: name, ssl: false } as const
  return { connection, close: socket.close }
}

/**
 * Makes the server reload the access files. Resolves when the superuser can no longer connect. A server that restarts
 * reads the files anyway.
 */
async function reloadAccessFiles(supervisor: Supervisor, connection: Connection): Promise<void> {
  const deadline = performance.now() + reloadTimeoutMs
  do {
    if (supervisor.pid !== undefined) sendSignal(supervisor.pid, 'SIGHUP')
    await pause(5)
    if (!(await superuserCanConnect(connection))) return
  } while (performance.now() < deadline)
  throw new EmbeddedPostgresError(
    'failed',
    'PostgreSQL did not reload its access rules. Restart the service.',
  )
}

async function warnOfSharedUser(log: Log, name: string): Promise<void> {
  const { uid, username } = currentUser()
  if (uid === 0 || !(await isSharedUser(uid))) return
  log.warn(
    { user: username },
    `this process runs as ${username}, so every other process of ${username} can read and change the database. ` +
      `Run it as a dedicated user, such as one created with "useradd --system ${name}".`,
  )
}
