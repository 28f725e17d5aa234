import { sql } from 'kysely'
import type { Service } from './harness.ts'
import type { Fixture } from './world.ts'

/**
 * Describes copies of the table row that `source` selects. The values from `columns` replace the values of that row.
 */
export type Copies = {
  table: string
  source?: (fixture: Fixture) => Record<string, string>
  /**
   * Returns the values to replace. Each copy has its own `tag`, which is the same in all tables that belong to a list.
   */
  columns: (tag: string, fixture: Fixture, index: number) => Record<string, unknown>
}

/** Inserts copies of a row of a table. */
export async function insertCopies(
  { deps: { db } }: Service,
  fixture: Fixture,
  { table, source, columns }: Copies,
  tag: string,
  count: number,
) {
  const replacements = Array.from({ length: count }, (_, index) => columns(`${tag}x${index}`, fixture, index))
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(db)
  const all = sql.join(rows.map(({ name }) => sql.ref(name)))
  const own = Object.entries(source?.(fixture) ?? {}).map(
    ([name, value]) => sql`${sql.ref(name)}::text = ${value}`,
  )
  await sql`
    insert into ${sql.table(table)} (${all})
    select ${all} from (
      select (jsonb_populate_record(null::${sql.table(table)}, to_jsonb(original) || replacement)).*
      from (select * from ${sql.table(table)} where ${sql.join([sql`true`, ...own], sql` and `)} limit 1) as original,
        jsonb_array_elements(${JSON.stringify(replacements)}::jsonb) as replacement) as copied
    on conflict do nothing`.execute(db)
}
