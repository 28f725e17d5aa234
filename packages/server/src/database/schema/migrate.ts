import { setTimeout as pause } from 'node:timers/promises'
import { version } from '../../config/version.ts'
import { Problem, problem } from '../../lib/problem.ts'
import type { DatabaseClient } from '../client.ts'
import { isLockConflict } from '../errors.ts'
import type { DatabasePool } from '../pool.ts'
import { addressOf, findRefusal, type Target } from '../target.ts'
import {
  type AppliedMigration,
  appliedMigrationsQuery,
  isSatisfied,
  type Migration,
  pendingMigrations,
  readMigrations,
} from './migration-files.ts'

const minServerVersion = 150_000
// The key of the advisory lock: an arbitrary number that must be the same in every version.
const lockKey = 7_311_402_601
const maxAttempts = 15

/**
 * Applies the pending .sql files of the directory in order and returns their names. Each file runs in its own
 * transaction under an advisory lock: when several nodes start together, one migrates while the others wait. If a
 * node is killed, the next start applies the remaining files. If exactly the migrations that a baseline replaces have
 * been applied, the baseline is recorded instead of them without running it. Nodes that are still serving requests may
 * hold locks: after a deadlock or a wait of two seconds for a table, the file is rolled back and applied again, up to 15
 * times.
 */
export async function migrate(pool: DatabasePool, directory: string): Promise<string[]> {
  const files = await readMigrations(directory)
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await requireServerVersion(client, pool.target)
    const applied: string[] = []
    while (await hasPending(client, files)) {
      const name = await applyBetweenRequests(client, files)
      if (name !== undefined) applied.push(name)
    }
    return applied
  } catch (error) {
    broken = error as Error
    throw findRefusal(broken.cause ?? error, pool.target) ?? error
  } finally {
    client.release(broken)
  }
}

async function requireServerVersion(client: DatabaseClient, target: Target): Promise<void> {
  const { rows } = await client.query<{ number: string; text: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
  )
  const [version] = rows
  if (version !== undefined && Number(version.number) < minServerVersion)
    throw serverTooOld({ text: version.text, address: addressOf(target) })
}

const serverTooOld = problem(
  'conflict',
  'database.too_old',
  'PostgreSQL {text} at {address} is too old. Upgrade it to version 15 or newer.',
)

async function hasPending(client: DatabaseClient, files: Migration[]): Promise<boolean> {
  const { rowCount } = await client.query(`select 1 where to_regclass('schema_migrations') is not null`)
  if (rowCount === 0) return files.length > 0
  return pendingMigrations(files, await appliedMigrations(client)).length > 0
}

const appliedMigrations = async (client: DatabaseClient): Promise<AppliedMigration[]> =>
  (await client.query<AppliedMigration>(appliedMigrationsQuery)).rows

async function applyBetweenRequests(client: DatabaseClient, files: Migration[]): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyNext(client, files)
    } catch (error) {
      if (attempt === maxAttempts || !isLockConflict((error as Error).cause)) throw error
      await client.query('rollback')
      // The requests that queued behind the migration finish first.
      await pause(200 + Math.random() * 800)
    }
  }
}

/** Applies the next file and returns its name; undefined if no file is pending. */
async function applyNext(client: DatabaseClient, files: Migration[]): Promise<string | undefined> {
  await client.query('begin')
  // Long migrations and the wait for another node's migration must not time out.
  await client.query(
    'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0',
  )
  await client.query('select pg_advisory_xact_lock($1)', [lockKey])
  // Requests to the table queue behind the waiting migration, and are rejected when they have waited for 3 seconds.
  await client.query(`set local lock_timeout = '2s'`)
  await createMigrationsTable(client)
  const applied = await appliedMigrations(client)
  const [next] = pendingMigrations(files, applied)
  if (next !== undefined) {
    if (isSatisfied(next, applied)) await client.query('delete from schema_migrations')
    else await run(client, next)
    await record(client, next)
  }
  await client.query('commit')
  return next?.name
}

/** Creates the table of the applied migrations, or adds what the one of an older version does not have. */
export async function createMigrationsTable(client: {
  query: (text: string) => Promise<{ rowCount: number | null }>
}): Promise<void> {
  await client.query(`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now(),
      server_version text
    )`)
  const { rowCount } = await client.query(`
    select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'server_version'`)
  // Even if the column exists, adding it would lock out readers of the table until the migration ends.
  if (rowCount === 0) await client.query('alter table schema_migrations add column server_version text')
}

async function run(client: DatabaseClient, { name, sql }: Migration): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    const cause = error instanceof Problem ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    const remedy = isLockConflict(cause)
      ? 'Other transactions use its tables: end those that pg_stat_activity shows as old, such as a dump, then start again. The previous version still works.'
      : 'Start the previous version, which still works, and report the problem.'
    throw migrationFailed({ name, reason, remedy }, { cause })
  }
  if (client.getTransactionStatus() !== 'T')
    throw new Error(
      `Migration ${name} ends the transaction it runs in. It must not begin, commit or roll back.`,
    )
}

async function record(client: DatabaseClient, { number, name, sha256 }: Migration): Promise<void> {
  await client.query(
    'insert into schema_migrations (number, name, sha256, server_version) values ($1, $2, $3, $4)',
    [number, name, sha256, version],
  )
}

const migrationFailed = problem(
  'conflict',
  'migration.failed',
  'Migration {name} failed: {reason}. It was rolled back. {remedy}',
)
