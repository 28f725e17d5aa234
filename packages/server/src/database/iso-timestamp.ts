import { sql, type Expression, type RawBuilder } from 'kysely'

/** A timestamp inside JSON that PostgreSQL builds, in the one form all answers use. */
export function isoTimestamp(column: Expression<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
