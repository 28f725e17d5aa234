import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { connectDatabase } from '../../packages/server/src/database/connect.ts'
import { cloneDatabase, type TestDatabase } from '../../packages/server/test/database.ts'
import { applyStatement, readMigrations, type Schema } from './read-migrations.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

const migrations = path.resolve(import.meta.dirname, '../../packages/server/migrations')

const tablesOfPostgres = `
  select c.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select array_agg(x.line order by x.line collate "C") from (
      select k.contype::text || ' ' || (select string_agg(a.attname, ',' order by p.i)
          from unnest(k.conkey) with ordinality p (n, i) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.n)
        || coalesce(' ' || k.confrelid::regclass || ' ' || (select string_agg(a.attname, ',' order by p.i)
          from unnest(k.confkey) with ordinality p (n, i) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = p.n), '')
        as line
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'f')) x) as keys
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'`

test('tables read off the migrations, compared with a migrated PostgreSQL, have the same columns and keys', async () => {
  const log = { warn: () => undefined }
  const connected = connectDatabase({ connection: database.connection, maxConnections: 1, log })
  const { rows } = await connected.pool.query(tablesOfPostgres).finally(() => connected.close())
  const schema = await readMigrations(migrations)
  const described = [...schema.values()].map((table) => ({
    name: table.name,
    columns: [...table.columns.keys()],
    keys: [
      `p ${table.primaryKey.join(',')}`,
      ...table.foreignKeys.map(
        (key) => `f ${key.columns.join(',')} ${key.table} ${key.targetColumns.join(',')}`,
      ),
    ].toSorted(),
  }))
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)
  assert.ok(rows.length > 30)
  assert.deepEqual(described.toSorted(byName), rows.toSorted(byName))
})

function schemaOf(...statements: string[]): Schema {
  const schema: Schema = new Map()
  for (const statement of statements) applyStatement(schema, statement)
  return schema
}

test('alterations add, drop and reference like the table itself', () => {
  const schema = schemaOf(
    'create table a (id text primary key, old text)',
    'create table b (id uuid, a_id text, primary key (id))',
    'alter table b add foreign key (a_id) references a on delete cascade, add column note text not null',
    'alter table a drop column old',
    'create table gone (id text)',
    'drop table gone',
  )
  assert.deepEqual([...schema.keys()], ['a', 'b'])
  assert.deepEqual([...(schema.get('a')?.columns.keys() ?? [])], ['id'])
  assert.deepEqual([...(schema.get('b')?.columns.keys() ?? [])], ['id', 'a_id', 'note'])
  const expected = { columns: ['a_id'], table: 'a', targetColumns: ['id'] }
  assert.deepEqual(schema.get('b')?.foreignKeys, [expected])
  applyStatement(schema, 'alter table b drop constraint b_a_id_fkey')
  assert.deepEqual(schema.get('b')?.foreignKeys, [])
})

test('a statement that the drawing would get wrong is an error, not a wrong drawing', () => {
  const schema = schemaOf('create table a (id text primary key)')
  const statements = [
    'alter table a rename to b',
    'alter table a rename column id to key',
    'alter table missing add column x text',
    'alter table a drop column missing',
    'create table b (a_id text references missing)',
    'create table c as select 1',
    'truncate a',
  ]
  for (const statement of statements) assert.throws(() => applyStatement(schema, statement), statement)
})
