import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { StatementObserver } from '../database/client.ts'
import { warnOfCollationChanges } from '../database/collation-versions.db.ts'
import { raisePositionsAfterRestore } from '../database/commit-order.db.ts'
import { connectDatabase, type Connection } from '../database/connect.ts'
import type { DatabasePool } from '../database/pool.ts'
import { createReplica, type Replica } from '../database/replica.ts'
import { migrate } from '../database/schema/migrate.ts'
import { findMissingSessionSettings } from '../database/session-settings.db.ts'
import type { Db } from '../database/transaction.ts'
import { waitForDatabase } from '../database/wait-for-database.ts'
import { migrationsFolder, type ProvidedDatabase } from './provide-database.ts'

type Options = {
  log: Logger
  /** Cancels the wait for the database. */
  stopping: AbortSignal | undefined
  /** Receives the functions that close the connections. */
  closers: (() => Promise<void>)[]
  observeStatement?: StatementObserver | undefined
}

export type OpenDatabase = {
  db: Db
  pool: DatabasePool
  /** The address for statements, which may be that of a connection pooler. */
  connection: Connection
  /** Whether `connection` refers to a connection pooler in transaction mode. */
  isPooled: boolean
  /** The address of the PostgreSQL server itself, for sessions that LISTEN. */
  direct: Connection
  /** The streaming replica that serves reads, if one is configured. */
  replica: Replica | undefined
  /** The folder of the embedded database; undefined if DATABASE_URL is set. */
  location: string | undefined
  /** Returns whether the embedded database is read-only because its disk is full. */
  isDiskFull: (() => boolean) | undefined
}

const maxConnections = 16

/** Connects to the database and applies pending migrations. */
export async function openDatabase(
  config: Config,
  { connection: direct, location, isDiskFull }: ProvidedDatabase,
  { log, stopping, closers, observeStatement }: Options,
): Promise<OpenDatabase> {
  const { databaseUrl, databaseDirectUrl, databaseWaitSeconds: timeoutSeconds } = config
  const isPooled = databaseUrl !== undefined && databaseDirectUrl !== undefined
  const connection = isPooled ? { connectionString: databaseUrl } : direct
  const { db, pool, close } = connectDatabase({
    connection,
    isPooled,
    maxConnections,
    log,
    observeStatement,
    isDiskFull,
  })
  closers.push(close)
  const wait = { log, timeoutSeconds, stopping }
  await waitForDatabase(pool, wait)
  if (isPooled) {
    // A migration may take longer than a pooler allows.
    const migrator = connectDatabase({ connection: direct, maxConnections: 1, log })
    try {
      await waitForDatabase(migrator.pool, wait)
      await migrate(migrator.pool, migrationsFolder)
    } finally {
      await migrator.close()
    }
    await warnOfMissingSettings(db, log)
  } else await migrate(pool, migrationsFolder)
  await raisePositionsAfterRestore(db)
  await warnOfCollationChanges(db, log)
  const replica = config.role === 'worker' ? undefined : connectReplica(config, db, log)
  closers.push(async () => await replica?.close())
  await replica?.ready
  return { db, pool, connection, isPooled, direct, replica, location, isDiskFull }
}

function connectReplica({ databaseReadUrl }: Config, primary: Db, log: Logger): Replica | undefined {
  if (databaseReadUrl === undefined) return undefined
  return createReplica({ connection: { connectionString: databaseReadUrl }, primary, log })
}

/** Warns if the pooler does not set the timeouts, because a statement could then wait indefinitely. */
async function warnOfMissingSettings(db: Db, log: Pick<Logger, 'warn'>): Promise<void> {
  const missing = await findMissingSessionSettings(db)
  if (missing.length === 0) return
  const statements = missing.map(({ name, value }) => `set ${name} = '${value}'`).join('; ')
  log.warn(
    { missing: missing.map(({ name }) => name) },
    `The connection pooler does not apply the session settings of the service. Add to the database in pgbouncer.ini: connect_query='${statements.replaceAll("'", "''")}'`,
  )
}
