import { Kysely, PostgresDialect } from 'kysely'
import type { StatementObserver } from './client.ts'
import { columnTypes } from './column-values.ts'
import { DatabasePool } from './pool.ts'
import type { Database } from './tables.ts'

/**
 * The address of the PostgreSQL server: a URL or a host. If the host is an absolute path, it is the folder that
 * contains the Unix socket.
 */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password?: string; database: string }

type ConnectOptions = {
  connection: Connection
  /** Whether the address is that of a connection pooler in transaction mode, which sets the timeouts itself. */
  isPooled?: boolean
  maxConnections: number
  log: { warn(details: object, message: string): void }
  /** The server cancels a statement after this time. 0 means no limit. */
  statementTimeoutSeconds?: number
  /** The server cancels a statement that waits this long for a lock. */
  lockTimeoutSeconds?: number
  /** How long callers wait for a free connection while the server is responsive. */
  queueTimeoutSeconds?: number
  observeStatement?: StatementObserver | undefined
  /** Whether the database is read-only because its disk is full, so that writes are rejected with `out_of_space`. */
  isDiskFull?: (() => boolean) | undefined
}

const closeTimeoutMs = 5_000

/**
 * Creates a pool that connects on the first statement. Statements return int8 as a number, timestamptz as
 * 'YYYY-MM-DDTHH:MM:SS.ffffffZ', and date and timestamp as strings. While the server is down or unresponsive, every
 * call throws an `unavailable` Problem within 5 s; calls succeed again as soon as the server responds.
 */
export function connectDatabase({
  connection,
  isPooled = false,
  maxConnections,
  log,
  statementTimeoutSeconds = 30,
  // This timeout is short, because statements that wait for a locked table occupy connections that other callers need.
  lockTimeoutSeconds = 3,
  queueTimeoutSeconds = 5,
  observeStatement,
  isDiskFull,
}: ConnectOptions): {
  db: Kysely<Database>
  pool: DatabasePool
  /** Waits for running work until the timeout, then closes the remaining connections. */
  close: (timeoutMs?: number) => Promise<void>
} {
  const pool = new DatabasePool(
    {
      ...connection,
      max: maxConnections,
      application_name: 'quayside',
      types: columnTypes,
      keepAlive: true,
      idleTimeoutMillis: 60_000,
      maxLifetimeSeconds: 3_600,
      // PgBouncer rejects connections with these startup parameters.
      ...(!isPooled && {
        statement_timeout: statementTimeoutSeconds * 1_000,
        lock_timeout: lockTimeoutSeconds * 1_000,
        idle_in_transaction_session_timeout: 60_000,
      }),
      connectionTimeoutMillis: queueTimeoutSeconds * 1_000,
    },
    {
      isPooled,
      observe: observeStatement,
      isDiskFull,
      // Only the message is logged, because pg attaches the whole client to the error.
      onError: (error) => log.warn({ reason: error.message }, 'lost an idle connection to the database'),
      onUnprepared: () =>
        log.warn(
          {},
          'The connection pooler does not support prepared statements in transaction mode, so statements are planned at each execution. Use PgBouncer 1.21 or newer with max_prepared_statements = 300.',
        ),
    },
  )
  const close = (timeoutMs = closeTimeoutMs) => pool.close(timeoutMs)
  // Kysely's type includes cursors, which are not used here.
  const kyselyPool = { options: {}, connect: () => pool.connect() as Promise<never>, end: () => close() }
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: kyselyPool }) }),
    pool,
    close,
  }
}
