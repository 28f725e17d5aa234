import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { splitList, splitStatements } from './sql-text.ts'

export type ForeignKey = { columns: string[]; table: string; targetColumns: string[] }
export type Table = {
  name: string
  /** Name to type, in the order of their declaration. */
  columns: Map<string, string>
  primaryKey: string[]
  foreignKeys: ForeignKey[]
}
export type Schema = Map<string, Table>

/** The tables as they are after all migrations, read off the SQL; a statement it does not know is an error. */
export async function readMigrations(directory: string): Promise<Schema> {
  const schema: Schema = new Map()
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  for (const name of names) {
    for (const statement of splitStatements(await readFile(path.join(directory, name), 'utf8'))) {
      try {
        applyStatement(schema, statement)
      } catch (cause) {
        throw new Error(`${name}: ${String(cause)}\n  ${statement.slice(0, 200)}`, { cause })
      }
    }
  }
  return schema
}

const leavesTablesAlone =
  /^(create (or replace )?(unique index|index|function|trigger|extension|view)|drop (index|trigger|function|view)|insert|update|delete|comment|select|set|do) /i

export function applyStatement(schema: Schema, statement: string): void {
  const create = /^create table (?:if not exists )?(\w+) \(([\s\S]*)\)$/i.exec(statement)
  const alter = /^alter table (?:only )?(\w+)\s+([\s\S]*)$/i.exec(statement)
  const drop = /^drop table (?:if exists )?(\w+)(?: cascade)?$/i.exec(statement)
  if (create !== null) {
    const [, name = '', body = ''] = create
    const table: Table = { name, columns: new Map(), primaryKey: [], foreignKeys: [] }
    schema.set(name, table)
    for (const item of splitList(body)) addItem(schema, table, item)
  } else if (alter !== null) {
    const [, name = '', actions = ''] = alter
    for (const action of splitList(actions)) applyAction(schema, requireTable(schema, name), action)
  } else if (drop !== null) {
    schema.delete(drop[1] ?? '')
  } else if (!leavesTablesAlone.test(statement)) {
    throw new Error('a statement the drawing does not know')
  }
}

function applyAction(schema: Schema, table: Table, action: string): void {
  const add = /^add (?:column )?(?:if not exists )?([\s\S]*)$/i.exec(action)
  const drop = /^drop (?:column )?(?:if exists )?(\w+)(?: cascade)?$/i.exec(action)
  const dropConstraint = /^drop constraint (?:if exists )?(\w+)$/i.exec(action)
  const rename = /^rename (?:column )?(\w+) to (\w+)$/i.exec(action)
  if (add !== null) addItem(schema, table, add[1] ?? '')
  else if (dropConstraint !== null) dropForeignKey(table, dropConstraint[1] ?? '')
  else if (drop !== null) dropColumn(table, drop[1] ?? '')
  else if (rename !== null || !/^(alter|enable|disable|validate|set) /i.test(action)) {
    throw new Error('an alter table the drawing does not know')
  }
}

function addItem(schema: Schema, table: Table, item: string): void {
  const text = item.replace(/^constraint \w+ /i, '')
  const primaryKey = /^primary key \(([^)]*)\)/i.exec(text)
  const foreignKey = /^foreign key \(([^)]*)\)\s+([\s\S]*)$/i.exec(text)
  if (primaryKey !== null) table.primaryKey = splitList(primaryKey[1] ?? '')
  else if (foreignKey !== null) {
    addForeignKey(schema, table, splitList(foreignKey[1] ?? ''), foreignKey[2] ?? '')
  } else if (!/^(check|unique|exclude)\b/i.test(text)) addColumn(schema, table, text)
}

function addColumn(schema: Schema, table: Table, text: string): void {
  const column =
    /^(\w+)\s+(double precision|timestamp with time zone|\w+(?:\([\d, ]+\))?(?:\[\])?)([\s\S]*)$/i.exec(text)
  if (column === null) throw new Error(`no column: ${text}`)
  const [, name = '', type = '', rest = ''] = column
  table.columns.set(name, type)
  if (/\bprimary key\b/i.test(rest)) table.primaryKey = [name]
  const references = /\breferences [\s\S]*$/i.exec(rest)
  if (references !== null) addForeignKey(schema, table, [name], references[0])
}

function addForeignKey(schema: Schema, table: Table, columns: string[], text: string): void {
  const references = /^references (\w+)(?: ?\(([^)]*)\))?/i.exec(text)
  if (references === null) throw new Error(`no reference: ${text}`)
  const [, target = '', list] = references
  const targetColumns = list === undefined ? requireTable(schema, target).primaryKey : splitList(list)
  table.foreignKeys.push({ columns, table: target, targetColumns })
}

function dropColumn(table: Table, name: string): void {
  if (!table.columns.delete(name)) throw new Error(`no column ${name} in ${table.name}`)
  table.foreignKeys = table.foreignKeys.filter(({ columns }) => !columns.includes(name))
}

/** Unnamed foreign keys are called table_column_column_fkey by PostgreSQL; names of other constraints mean nothing here. */
function dropForeignKey(table: Table, constraint: string): void {
  table.foreignKeys = table.foreignKeys.filter(
    ({ columns }) => `${table.name}_${columns.join('_')}_fkey` !== constraint,
  )
}

function requireTable(schema: Schema, name: string): Table {
  const table = schema.get(name)
  if (table === undefined) throw new Error(`no table ${name}`)
  return table
}
