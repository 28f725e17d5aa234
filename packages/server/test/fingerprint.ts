import { sql } from 'kysely'
import type { Db } from '../src/database/transaction.ts'

/** Count and digest of the rows of every table; the note when a key was last used apart. */
export async function fingerprint(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const digests = tables.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as name, count(*) || ' ' || coalesce(md5(string_agg(row, ',' order by row)), '') as digest
      from (select (to_jsonb(t) - 'last_used_at')::text as row from ${sql.table(name)} t) as rows`,
  )
  const { rows } = await sql<{
    name: string
    digest: string
  }>`${sql.join(digests, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
