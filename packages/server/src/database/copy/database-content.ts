import type { Readable } from 'node:stream'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { type AppliedMigration, appliedMigrationsQuery } from '../schema/migration-files.ts'

/** A table and the columns to copy, quoted for SQL. */
export type Table = { name: string; columns: string }

export type CountedTable = Table & { rows: number }

/** The state of a sequence; `last` is null if the sequence has not been used. */
export type Sequence = { name: string; last: string | null }

/** The schema of the job queue, whose tables the migrations do not create. */
export type QueueSchema = {
  name: string
  /** The statements that create the tables. */
  sql: string
  /** Tables that are not copied. */
  statistics: readonly string[]
}

/** Describes a database that can be copied into an empty one. */
export type DatabaseContent = {
  migrations: AppliedMigration[]
  queueVersion: number
  tables: CountedTable[]
  sequences: Sequence[]
}

/** Rows in the text format of COPY; `rowCount` is set at the end of the stream. */
export type TableRows = { stream: Readable; rowCount: () => number }

/** Describes the database. Call it in the transaction that reads the rows, so that both come from the same snapshot. */
export async function readDatabaseContent(
  reader: pg.Client,
  queueSchema: QueueSchema,
): Promise<DatabaseContent> {
  const schemas = ['public', queueSchema.name]
  const migrations = await reader.query<AppliedMigration>(appliedMigrationsQuery)
  const version = await reader.query<{ version: number }>(`select version from ${queueSchema.name}.version`)
  return {
    migrations: migrations.rows,
    queueVersion: version.rows[0]?.version ?? 0,
    tables: await countRows(reader, await listTables(reader, queueSchema)),
    sequences: await listSequences(reader, schemas),
  }
}

async function countRows(reader: pg.Client, tables: Table[]): Promise<CountedTable[]> {
  const counted: CountedTable[] = []
  for (const table of tables) {
    const { rows } = await reader.query<{ count: string }>(`select count(*) as count from ${table.name}`)
    counted.push({ ...table, rows: Number(rows[0]?.count) })
  }
  return counted
}

/** Returns the rows of a table. Read the stream to its end before the next statement. */
export function readTable(reader: pg.Client, { name, columns }: Table): TableRows {
  const stream = reader.query(to(`copy (select ${columns} from ${name}) to stdout`))
  return { stream, rowCount: () => stream.rowCount }
}

/** Lists tables with the columns that are not generated. Partitions are copied with the table that they belong to. */
export async function listTables(client: pg.Client, queueSchema: QueueSchema): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name,
        string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      group by n.nspname, c.relname order by 1`,
    [['public', queueSchema.name]],
  )
  const skipped = new Set(queueSchema.statistics.map((name) => `${queueSchema.name}.${name}`))
  return rows.filter(({ name }) => !skipped.has(name))
}

async function listSequences(client: pg.Client, schemas: string[]): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
      from pg_sequences where schemaname = any($1)`,
    [schemas],
  )
  return rows
}
