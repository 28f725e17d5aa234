import type { openDatabase } from '../database.ts'

type Pool = ReturnType<typeof openDatabase>['pool']

export type TableSize = { name: string; rows: number; bytes: number; indexes: Record<string, number> }

/** Returns the size of the database and of its largest tables with their indexes. */
export async function measureTables(pool: Pool): Promise<{ databaseBytes: number; tables: TableSize[] }> {
  const total = await pool.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  )
  const tables = await pool.query<TableSize>(
    `select relname as name, reltuples::float8 as rows, pg_table_size(oid)::float8 as bytes, (
        select coalesce(jsonb_object_agg(indexrelid::regclass, pg_relation_size(indexrelid)), '{}')
        from pg_index where indrelid = pg_class.oid) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by pg_total_relation_size(oid) desc limit 12`,
  )
  return { databaseBytes: total.rows[0]?.bytes ?? 0, tables: tables.rows }
}
