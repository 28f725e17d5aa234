import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { problem } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import { createMigrationsTable } from '../schema/migrate.ts'
import { isSatisfied, pendingMigrations, readMigrations } from '../schema/migration-files.ts'
import { addressOf, type Target } from '../target.ts'
import {
  listTables,
  type CountedTable,
  type DatabaseContent,
  type QueueSchema,
  type Sequence,
  type TableRows,
} from './database-content.ts'
import { observeRows } from './table-progress.ts'

export type CopyResult = { tables: number; rows: number }

type Options<T extends CountedTable> = {
  writer: pg.Client
  content: Omit<DatabaseContent, 'tables'> & { tables: T[] }
  openTable: (table: T) => TableRows
  migrationsFolder: string
  queueSchema: QueueSchema
  onProgress: (progress: Progress) => void
  /** Called in the transaction, after the tables were filled. */
  beforeCommit?: () => Promise<void>
}

/**
 * Fills an empty database in one transaction, so that it is still empty if anything fails. Creates the tables as they
 * were when the content was written; the next start of the service applies newer migrations.
 */
export async function loadDatabase<T extends CountedTable>(options: Options<T>): Promise<CopyResult> {
  const { writer, content, migrationsFolder, queueSchema } = options
  await writer.query('begin')
  await createSchema(writer, { content, migrationsFolder, queueSql: queueSchema.sql })
  await requireSameQueue(writer, content, queueSchema.name)
  const loaded = await loadTables(options)
  await options.beforeCommit?.()
  await writer.query('commit')
  await writer.query('analyze')
  return loaded
}

/**
 * Throws unless the target has a supported PostgreSQL version, uses UTF-8, and contains no tables other than those of
 * extensions.
 */
export async function requireUsable(writer: pg.Client, target: Target): Promise<void> {
  const { rows } = await writer.query<{
    version: string
    number: number
    encoding: string
    tables: string[]
  }>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding,
      (select coalesce(json_agg(c.oid::regclass::text order by c.oid), '[]') from pg_class c
        where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
          and c.relnamespace not in (select oid from pg_namespace
            where nspname ~ '^pg_' or nspname = 'information_schema')
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as tables`)
  const { version = '', number = 0, encoding = '', tables = [] } = rows[0] ?? {}
  const address = addressOf(target)
  if (number < 150_000) throw serverTooOld({ version, address })
  if (encoding !== 'UTF8') throw wrongEncoding({ database: target.database, address, encoding })
  if (tables.length > 0) {
    const found = { database: target.database, address, tables: tables.slice(0, 3).join(', ') }
    throw tables.length > 3
      ? databaseWithManyTables({ ...found, others: tables.length - 3 })
      : databaseNotEmpty(found)
  }
}

const serverTooOld = problem(
  'conflict',
  'database.too_old',
  'PostgreSQL {version} at {address} is too old. Use version 15 or newer.',
)

const wrongEncoding = problem(
  'conflict',
  'database.wrong_encoding',
  'The database "{database}" at {address} has the encoding {encoding}. Create it with: create database "{database}" encoding \'UTF8\' template template0.',
)

const databaseNotEmpty = problem(
  'conflict',
  'database.not_empty',
  'The database "{database}" at {address} is not empty: it contains {tables}. Use an empty database.',
)

const databaseWithManyTables = problem(
  'conflict',
  'database.not_empty',
  'The database "{database}" at {address} is not empty: it contains {tables} and {others} more. Use an empty database.',
)

async function createSchema(
  writer: pg.Client,
  {
    content,
    migrationsFolder,
    queueSql,
  }: { content: Pick<DatabaseContent, 'migrations'>; migrationsFolder: string; queueSql: string },
): Promise<void> {
  await createMigrationsTable(writer)
  const migrations = await readMigrations(migrationsFolder)
  const pending = new Set(pendingMigrations(migrations, content.migrations))
  for (const migration of migrations)
    // The rows include the migrations that a baseline replaces. The next start of the service records it instead.
    if (!pending.has(migration) || isSatisfied(migration, content.migrations))
      await writer.query(migration.sql)
  // The queue's script begins and commits a transaction. It must run in the current transaction instead, so that a
  // failed copy leaves the target unchanged.
  await writer.query(queueSql.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, ''))
  await writer.query('set local idle_in_transaction_session_timeout to 0; set local lock_timeout to 0')
}

async function requireSameQueue(
  writer: pg.Client,
  content: Pick<DatabaseContent, 'queueVersion'>,
  schema: string,
): Promise<void> {
  const { rows } = await writer.query<{ version: number }>(`select version from ${schema}.version`)
  if (rows[0]?.version === content.queueVersion) return
  throw otherQueueVersion()
}

const otherQueueVersion = problem(
  'conflict',
  'database.other_queue',
  'The job queue was last used by another version of Quayside. Repeat the command with that version.',
)

async function loadTables<T extends CountedTable>({
  writer,
  content,
  openTable,
  queueSchema,
  onProgress,
}: Options<T>): Promise<CopyResult> {
  const names = (await listTables(writer, queueSchema)).map(({ name }) => name)
  const restoreForeignKeys = await dropForeignKeys(writer, ['public', queueSchema.name])
  await writer.query(`truncate ${names.join(', ')}`)
  let rows = 0
  for (const name of names) {
    const table = content.tables.find((each) => each.name === name)
    if (table === undefined) throw new Error(`The table ${name} is missing in the source.`)
    await writer.query(`alter table ${name} disable trigger user`)
    rows += await loadTable(writer, { table, rows: openTable(table), onProgress })
    await writer.query(`alter table ${name} enable trigger user`)
  }
  await setSequences(writer, content.sequences)
  await restoreForeignKeys()
  return { tables: names.length, rows }
}

/**
 * Drops the foreign keys, so that tables can be filled in any order, and returns a function that creates and thereby
 * checks them again. Disabling the foreign keys instead would require a superuser.
 */
async function dropForeignKeys(writer: pg.Client, schemas: string[]): Promise<() => Promise<void>> {
  const { rows } = await writer.query<{ name: string; table: string; definition: string }>(
    `select quote_ident(conname) as name, format('%I.%I', n.nspname, c.relname) as table,
        pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and k.conparentid = 0 and n.nspname = any($1)`,
    [schemas],
  )
  for (const { name, table } of rows) await writer.query(`alter table ${table} drop constraint ${name}`)
  return async () => {
    for (const { name, table, definition } of rows)
      await writer.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
}

async function loadTable(
  writer: pg.Client,
  {
    table,
    rows: { stream, rowCount },
    onProgress,
  }: { table: CountedTable; rows: TableRows; onProgress: (progress: Progress) => void },
): Promise<number> {
  const { name, columns } = table
  const observed = observeRows(table, onProgress)
  await pipeline(stream, observed.stream, writer.query(from(`copy ${name} (${columns}) from stdin`)))
  const found = await writer.query<{ count: string }>(`select count(*) as count from ${name}`)
  const counts = [rowCount(), Number(found.rows[0]?.count)]
  if (counts[0] !== counts[1])
    throw new Error(`The table ${name} has ${counts[0]} rows in the source but ${counts[1]} in the copy.`)
  observed.complete(rowCount())
  return rowCount()
}

/** Sets the sequences. Skips sequences that do not exist in the target, because their tables are not copied. */
async function setSequences(writer: pg.Client, sequences: Sequence[]): Promise<void> {
  for (const { name, last } of sequences)
    if (last !== null) await writer.query('select setval(to_regclass($1), $2::bigint)', [name, last])
}
