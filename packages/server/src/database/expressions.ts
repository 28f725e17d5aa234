import { sql, type Expression, type RawBuilder } from 'kysely'

/** Converts external text to a uuid, or to null if it is not one. The expression can use an index on ids. */
export const asUuid = (text: string): RawBuilder<string> =>
  sql<string>`(case when ${text}::text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::text end)::uuid`

/** Returns a `like` or `ilike` pattern that matches any text containing this one. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Formats a timestamp as in all responses, for JSON that PostgreSQL builds. */
export function isoTimestamp(column: Expression<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
