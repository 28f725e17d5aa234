import { sql, type Expression, type RawBuilder } from 'kysely'
import type { Executor } from './transaction.ts'

/**
 * Converts external text to a uuid, or to null if it is not a UUID. A comparison with the result can use an index on an
 * ID column.
 */
export const asUuid = (text: string): RawBuilder<string> =>
  sql<string>`(case when ${text}::text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::text end)::uuid`

/** Returns a `like` or `ilike` pattern that matches any string that contains `text`. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Formats a timestamp as in API responses, for JSON that is built in SQL. */
export function isoTimestamp(column: Expression<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/**
 * Selects the given IDs or names as a table `input (requested)` that can be joined with rows. PostgreSQL compares the
 * names, because its unique indexes determine which names are equal and its lower() differs from JavaScript's
 * toLowerCase() for some letters.
 */
export const selectInputs = (db: Executor, texts: string[]) =>
  db.selectFrom(sql<{ requested: string }>`unnest(${texts}::text[])`.as<'input'>(sql`input(requested)`))

/** Sorts by name with the collation `name_order` from the migrations, which is suitable for any language and script. */
export const nameOrder = (column: string): RawBuilder<string> =>
  sql<string>`${sql.ref(column)} collate name_order`
