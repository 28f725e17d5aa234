import type { DatabasePool } from '../pool.ts'

type Column = {
  table: string
  name: string
  type: string
  isNullable: boolean
  isOptional: boolean
  isGeneratedAlways: boolean
}

const header = `// Generated from a migrated database by \`npm run generate\`. Do not edit; a test fails when it is out of date.
import type { ColumnType } from 'kysely'

type Generated<T> =
  T extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected, Inserted | undefined, Updated>
    : ColumnType<T, T | undefined, T>

/** Timestamps are read as strings in the format 'YYYY-MM-DDTHH:MM:SS.ffffffZ'. */
type Timestamp = ColumnType<string, Date | string, Date | string>
`

const typeScriptTypes: Record<string, string> = {
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  uuid: 'string',
  inet: 'string',
  xid8: 'string',
  cidr: 'string',
  // The type is string, because a value may have more digits than a JavaScript number can represent.
  numeric: 'string',
  date: 'string',
  timestamp: 'string',
  interval: 'string',
  tsvector: 'string',
  timestamptz: 'Timestamp',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  bytea: 'Buffer',
  json: 'unknown',
  jsonb: 'unknown',
}

// Excludes the table of applied migrations.
const columnsOfAllTables = `
  select c.relname as "table", a.attname as name, t.typname as type,
    not a.attnotnull as "isNullable",
    a.atthasdef or a.attidentity <> '' as "isOptional",
    a.attgenerated <> '' or a.attidentity = 'a' as "isGeneratedAlways"
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    and not c.relispartition and c.relname <> 'schema_migrations' and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`

// Selects everything that a write can violate: constraints, and unique indexes without a constraint.
const namesOfAllConstraints = `
  select conname::text as name from pg_constraint
  where connamespace = current_schema()::regnamespace and conrelid <> 0 and contype in ('c', 'f', 'p', 'u', 'x')
    and conrelid <> coalesce(to_regclass('schema_migrations'), 0::regclass)
  union
  select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and i.indisunique
    and i.indrelid <> coalesce(to_regclass('schema_migrations'), 0::regclass)
  order by name`

/** Returns the source of tables.ts for the database that the pool is connected to. */
export async function describeTables(pool: DatabasePool): Promise<string> {
  const { rows } = await pool.query<Column>(columnsOfAllTables)
  const constraints = (await pool.query<{ name: string }>(namesOfAllConstraints)).rows
  const tables = [...Map.groupBy(rows, (column) => column.table)].map(([table, columns]) => ({
    table,
    typeName: `${table.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Table`,
    columns,
  }))
  return [
    header,
    ...tables.map(({ typeName, columns }) => `interface ${typeName} {\n${columns.map(line).join('')}}\n`),
    `export interface Database {\n${tables.map(({ table, typeName }) => `  ${table}: ${typeName}\n`).join('')}}\n`,
    `/** Constraints and unique indexes that a write can violate. */\nexport type Constraint =${constraints.map(({ name }) => `\n  | '${name}'`).join('')}\n`,
  ].join('\n')
}

const line = (column: Column): string => `  ${column.name}: ${columnType(column)}\n`

function columnType({ table, name, type, isNullable, isOptional, isGeneratedAlways }: Column): string {
  const isArray = type.startsWith('_')
  const base = typeScriptTypes[isArray ? type.slice(1) : type]
  if (base === undefined) throw new Error(`${table}.${name}: no TypeScript type is known for ${type}`)
  const value = `${base}${isArray ? '[]' : ''}${isNullable && base !== 'unknown' ? ' | null' : ''}`
  if (isGeneratedAlways) return `ColumnType<${value}, never, never>`
  return isOptional ? `Generated<${value}>` : value
}
