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

const sizeUnits = ['KB', 'MB', 'GB', 'TB', 'PB']

/** Formats a size as `sizeString` does. */
export function sizeText(bytes: RawBuilder<number>): RawBuilder<string> {
  const cases = sizeUnits.map((unit, index) => {
    const unitBytes = 1024n ** BigInt(index + 1)
    const text = sql`round(${bytes}::numeric / ${sql.raw(String(unitBytes))}, 2) || ${sql.lit(` ${unit}`)}`
    // A size that would be rounded to 1024.00 has the next unit.
    const end = (1_023_995n * unitBytes + 999n) / 1000n
    return index === sizeUnits.length - 1
      ? sql`else ${text}`
      : sql`when ${bytes} < ${sql.raw(String(end))} then ${text}`
  })
  return sql<string>`case when ${bytes} < 1024 then ${bytes} || ' B' ${sql.join(cases, sql` `)} end`
}
