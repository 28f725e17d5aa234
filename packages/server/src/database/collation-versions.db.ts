import { sql } from 'kysely'
import type { Executor } from './transaction.ts'

/**
 * Logs a warning for each collation whose version has changed since the indexes were built, because queries that use
 * such an index can miss rows.
 */
export async function warnOfCollationChanges(
  db: Executor,
  log: { warn(details: object, message: string): void },
): Promise<void> {
  const { rows } = await sql<{ collation: string; recorded: string; actual: string }>`
    select * from (
      select 'default' as collation, datcollversion as recorded, pg_database_collation_actual_version(oid) as actual
      from pg_database where datname = current_database()
      union all
      select collname, collversion, pg_collation_actual_version(oid)
      from pg_collation where oid = to_regcollation('name_order')
    ) as versions where recorded <> actual`.execute(db)
  for (const row of rows)
    log.warn(row, 'a collation has changed with its library: rebuild the indexes of the database')
}
