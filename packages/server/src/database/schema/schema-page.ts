import type { DatabasePool } from '../pool.ts'

type Table = { name: string; columns: { name: string; type: string; key: string }[] | null }
type ForeignKey = { child: string; parent: string; column: string; isOptional: boolean }

// For each table, the diagram shows the primary key and foreign key columns.
const allTables = `
  select c.relname::text as name, (
    select json_agg(json_build_object('name', a.attname, 'type', t.typname, 'key', k.key) order by a.attnum)
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join lateral (
      select string_agg(distinct upper(contype) || 'K', ',' order by upper(contype) || 'K' desc) as key
      from pg_constraint
      where conrelid = c.oid and contype in ('p', 'f') and a.attnum = any(conkey)
    ) as k on k.key is not null
    where a.attrelid = c.oid
  ) as columns
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
  order by 1`

// The first column of a foreign key refers to the parent row. The other columns ensure that both rows belong to the
// same tenant.
const allForeignKeys = `
  select child.relname::text as child, parent.relname::text as parent, a.attname::text as column,
    not a.attnotnull as "isOptional"
  from pg_constraint f
  join pg_class child on child.oid = f.conrelid
  join pg_class parent on parent.oid = f.confrelid
  join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
  where f.contype = 'f' and f.connamespace = current_schema()::regnamespace
  order by 1, 3, 2`

const diagram = /(<!-- tables: ([a-z_ ]+) -->\n)[^]*?(<!-- end -->)/g

/** Returns docs/schema.md with updated diagrams. Throws if the page omits a table or lists an unknown one. */
export async function renderSchemaPage(pool: DatabasePool, page: string): Promise<string> {
  const tables = (await pool.query<Table>(allTables)).rows
  const foreignKeys = (await pool.query<ForeignKey>(allForeignKeys)).rows
  const drawn = [...page.matchAll(diagram)].flatMap(([, , names = '']) => names.split(' '))
  const all = tables.map(({ name }) => name)
  const mismatched = [
    ...all.filter((name) => !drawn.includes(name)),
    ...drawn.filter((name) => !all.includes(name)),
  ]
  if (mismatched.length > 0)
    throw new Error(`docs/schema.md must list exactly the existing tables: ${mismatched.join(', ')}`)
  return page.replaceAll(diagram, (_, start: string, names: string, end: string) => {
    const selected = names.split(' ')
    const entities = tables
      .filter(({ name }) => selected.includes(name))
      .map(({ name, columns }) => {
        const lines = (columns ?? []).map((column) => `    ${column.type} ${column.name} ${column.key}\n`)
        return `  ${name} {\n${lines.join('')}  }\n`
      })
    const lines = foreignKeys
      .filter(({ child }) => selected.includes(child))
      .map(({ child, parent, column, isOptional }) => {
        return `  ${parent} ${isOptional ? '|o' : '||'}--o{ ${child} : ${column}\n`
      })
    return `${start}\n\`\`\`mermaid\nerDiagram\n${entities.join('')}${lines.join('')}\`\`\`\n\n${end}`
  })
}
