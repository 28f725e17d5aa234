import { sql } from 'kysely'
import { type AppliedMigration, appliedMigrationsQuery } from '../../database/schema/migration-files.ts'
import type { Executor } from '../../database/transaction.ts'

/** Returns the settings of the database on which the service depends. */
export async function findDatabaseSettings(db: Executor) {
  const { rows } = await sql<{
    version: string
    version_number: number
    encoding: string
    is_superuser: boolean
    is_fsync_on: boolean
    max_connections: number
  }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
      current_setting('server_encoding') as encoding, current_setting('is_superuser') = 'on' as is_superuser,
      current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on' as is_fsync_on,
      current_setting('max_connections')::int as max_connections`.execute(db)
  return rows[0]
}

/** Lists the migrations of the database, which is empty before the first start. */
export async function listAppliedMigrations(db: Executor): Promise<AppliedMigration[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('schema_migrations') is not null as exists`.execute(db)
  if (rows[0]?.exists !== true) return []
  const applied = await sql.raw<AppliedMigration>(appliedMigrationsQuery).execute(db)
  return applied.rows
}
