import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { columnTypes } from './column-values.ts'
import { WatchedPool } from './pool.ts'
import type { Database } from './tables.ts'

/** Where PostgreSQL listens: a URL, or a host (an absolute path is the folder of a Unix socket). */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password?: string; database: string }

type ConnectOptions = {
  connection: Connection
  maxConnections: number
  log: { warn(details: object, message: string): void }
  /** The server ends a statement after this time; 0 = never. */
  statementTimeoutSeconds?: number
}

const closeTimeoutMilliseconds = 5_000

/**
 * Opens nothing yet: the first statement connects. int8 comes as number, timestamptz as
 * 'YYYY-MM-DDTHH:MM:SS.ffffffZ', date and timestamp as text. While the server is down or silent every call
 * throws Problem unavailable within 5 s, and it works again as soon as the server does.
 */
export function connectDatabase({
  connection,
  maxConnections,
  log,
  statementTimeoutSeconds = 30,
}: ConnectOptions): {
  db: Kysely<Database>
  pool: pg.Pool
  /** Waits for running work, no longer than this; then cuts it. */
  close: (timeoutMilliseconds?: number) => Promise<void>
} {
  const pool = new WatchedPool(
    {
      ...connection,
      max: maxConnections,
      application_name: 'quayside',
      types: columnTypes,
      keepAlive: true,
      idleTimeoutMillis: 60_000,
      maxLifetimeSeconds: 3_600,
      statement_timeout: statementTimeoutSeconds * 1_000,
      idle_in_transaction_session_timeout: 60_000,
    },
    // not the error itself: pg hangs the whole client on it
    (error) => log.warn({ reason: error.message }, 'lost an idle connection to the database'),
  )
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    close: (timeoutMilliseconds = closeTimeoutMilliseconds) => pool.close(timeoutMilliseconds),
  }
}
