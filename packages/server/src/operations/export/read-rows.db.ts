import type pg from 'pg'
import type { Connection } from '../../database/connect.ts'
import { openCopySession } from '../../database/copy/copy-session.ts'
import type { ExportedTable, ExportScope } from './exported-tables.db.ts'

/** A column of an exported table. `references` names the ID that it contains, such as `builds.id`. */
export type Column = { name: string; type: string; nullable: boolean; references: string | null }

/** Reads all tables of an export from one snapshot of the database. */
export type ExportReader = {
  /** Returns the columns whose values are exported. */
  listColumns(table: Pick<ExportedTable, 'name' | 'without'>): Promise<Column[]>
  countRows(table: ExportedTable, scope: ExportScope): Promise<number>
  /** Yields the rows as JSON texts, without loading the whole table into memory. */
  readRows(table: ExportedTable, columns: readonly Column[], scope: ExportScope): AsyncGenerator<string>
  /** Returns the number of the latest migration. */
  findSchemaVersion(): Promise<number>
  findInstallationId(): Promise<string | null>
  close(): Promise<void>
}

const rowsPerFetch = 200

/** Opens a snapshot of the database, in which the rows of all tables belong together. */
export async function openExportReader(connection: Connection): Promise<ExportReader> {
  const client = await openCopySession(connection)
  await client.query('begin isolation level repeatable read read only')
  return {
    listColumns: (table) => listColumns(client, table),
    async countRows({ name, condition }, scope) {
      const { rows } = await client.query<{ count: string }>(
        `select count(*) as count from ${name} t where ${condition(scope)}`,
      )
      return Number(rows[0]?.count)
    },
    readRows: (table, columns, scope) => readRows(client, table, columns, scope),
    async findSchemaVersion() {
      const { rows } = await client.query<{ number: number }>(
        'select max(number) as number from schema_migrations',
      )
      return rows[0]?.number ?? 0
    },
    async findInstallationId() {
      const { rows } = await client.query<{ id: string }>('select id from installation')
      return rows[0]?.id ?? null
    },
    close: () => client.end(),
  }
}

async function* readRows(
  client: pg.Client,
  { name, condition, order, values, extra = {} }: ExportedTable,
  columns: readonly Column[],
  scope: ExportScope,
): AsyncGenerator<string> {
  const replaced = values?.(scope) ?? {}
  const selected = columns.map((column) =>
    column.name in replaced ? `${replaced[column.name]} as ${column.name}` : `t.${column.name}`,
  )
  for (const [added, expression] of Object.entries(extra)) selected.push(`${expression} as ${added}`)
  await client.query(`declare exported cursor for select row_to_json(r)::text as json
    from (select ${selected.join(', ')} from ${name} t where ${condition(scope)}
    ${order === undefined ? '' : `order by ${order}`}) as r`)
  for (;;) {
    const rows = await fetchRows(client)
    for (const { json } of rows) yield json
    if (rows.length < rowsPerFetch) break
  }
  await client.query('close exported')
}

/** Uses a callback, because V8 frees the results of promises of pg only when it collects the whole heap. */
const fetchRows = (client: pg.Client): Promise<{ json: string }[]> =>
  new Promise((resolve, reject) => {
    client.query<{ json: string }>(`fetch ${rowsPerFetch} from exported`, (error: Error | null, result) => {
      if (error === null) resolve(result.rows)
      else reject(error)
    })
  })

async function listColumns(
  client: pg.Client,
  { name, without = [] }: Pick<ExportedTable, 'name' | 'without'>,
): Promise<Column[]> {
  const { rows } = await client.query<Column>(columnsOfTable, [name])
  return rows.filter((column) => !without.includes(column.name))
}

/**
 * Lists the columns of a table that an insert can set. A foreign key with several columns refers to each of them; the
 * reference is followed to the table that creates the ID.
 */
export const columnsOfTable = `
  with recursive keys as (
    select conrelid as relation, conkey[i] as number, confrelid as target, confkey[i] as target_number
    from pg_constraint cross join lateral generate_subscripts(conkey, 1) as i
    where contype = 'f' and connamespace = current_schema()::regnamespace
  ), found as (
    select relation, number, target, target_number, 1 as depth from keys
    where relation = $1::text::regclass
    union
    select found.relation, found.number, keys.target, keys.target_number, depth + 1
    from found join keys on keys.relation = found.target and keys.number = found.target_number
    where depth < 5 and keys.target <> found.target
  )
  select attname::text as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable,
    (select c.relname || '.' || a.attname
      from found join pg_class c on c.oid = target
        join pg_attribute a on a.attrelid = target and a.attnum = target_number
      where found.number = column_.attnum and a.attname in ('id', 'key') order by depth desc limit 1) as references
  from pg_attribute as column_
  where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
  order by attnum`
