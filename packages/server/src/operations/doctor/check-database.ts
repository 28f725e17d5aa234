import { checkDatabase as assertWritable, findClockDifferenceSeconds } from '../../database/health.ts'
import { pendingMigrations, readMigrations } from '../../database/schema/migration-files.ts'
import type { Db } from '../../database/transaction.ts'
import { failure, ok, reasonOf, warning, type Finding } from '../../lib/finding.ts'
import { findDatabaseSettings, listAppliedMigrations } from './database-settings.db.ts'

const oldestVersion = 150_000
const minConnections = 25
const warningSeconds = 5
const maxDifferenceSeconds = 5 * 60

/** Checks the version and the settings of the database, and its clock. */
export async function checkDatabase(db: Db, clock: { now(): Date }): Promise<Finding[]> {
  const found = await findDatabaseSettings(db)
  if (found === undefined) return []
  const findings: Finding[] = []
  const { version, encoding, max_connections: connections } = found
  if (found.version_number < oldestVersion)
    findings.push(failure('database', `PostgreSQL ${version}`, 'Upgrade to PostgreSQL 15 or newer.'))
  if (encoding !== 'UTF8')
    findings.push(
      failure(
        'database',
        `the encoding is ${encoding}`,
        'Create the database with encoding UTF8 and move the data.',
      ),
    )
  if (!found.is_fsync_on)
    findings.push(
      failure(
        'database',
        'fsync or full_page_writes is off',
        'Turn both on. Otherwise, a power failure loses builds.',
      ),
    )
  if (found.is_superuser)
    findings.push(
      warning('database', 'the service connects as a superuser', 'Use a role that only owns its database.'),
    )
  if (connections < minConnections)
    findings.push(
      warning(
        'database',
        `max_connections is ${connections}`,
        `Set max_connections to at least ${minConnections} for each node.`,
      ),
    )
  const writable = await assertWritable(db).then(
    () => undefined,
    (error: unknown) =>
      failure('database', reasonOf(error), 'Connect to the primary server, or make the database writable.'),
  )
  if (writable !== undefined) findings.push(writable)
  if (findings.length === 0) findings.push(ok('database', `PostgreSQL ${version}, ${encoding}, writable`))
  return [...findings, await checkClock(db, clock)]
}

/** Checks whether this version has already been started with the database. */
export async function checkMigrations(db: Db, migrationsFolder: string): Promise<Finding> {
  const pending = pendingMigrations(await readMigrations(migrationsFolder), await listAppliedMigrations(db))
  return pending.length === 0
    ? ok('migrations', 'the database is up to date')
    : warning(
        'migrations',
        `${pending.length} not applied`,
        'The next start of the server applies them. Back up first.',
      )
}

async function checkClock(db: Db, clock: { now(): Date }): Promise<Finding> {
  const difference = Math.abs(await findClockDifferenceSeconds(db, clock.now()))
  const detail = `the clock differs from that of the database by ${difference.toFixed(1)} s`
  const advice = 'Synchronize the time of both computers, for example with chrony.'
  if (difference > maxDifferenceSeconds)
    return failure('clock', detail, `${advice} Until then, nothing is deleted.`)
  return difference > warningSeconds ? warning('clock', detail, advice) : ok('clock', detail)
}
