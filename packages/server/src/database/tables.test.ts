import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { connectDatabase } from './connect.ts'
import { describeTables } from './schema/describe-tables.ts'
import { renderSchemaPage } from './schema/schema-page.ts'

describe('generated database files', () => {
  let clone: TestDatabase
  let database: ReturnType<typeof connectDatabase>
  before(async () => {
    clone = await cloneDatabase()
    database = connectDatabase({ connection: clone.connection, maxConnections: 1, log: { warn: () => {} } })
  })
  after(async () => {
    await database.close()
    await clone.drop()
  })

  test('generates the same docs/schema.md as the committed file', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../../docs/schema.md'), 'utf8')
    assert.equal(page, await renderSchemaPage(database.pool, page), 'run `npm run generate`')
  })

  test('rejects a schema page that omits a table or lists a nonexistent table', async () => {
    const page = '<!-- tables: workspaces ghosts -->\n<!-- end -->'
    await assert.rejects(renderSchemaPage(database.pool, page), /tables: .*\baccounts, .*, ghosts$/)
  })

  test('generates the same tables.ts as the committed file', async () => {
    assert.equal(
      await readFile(join(import.meta.dirname, 'tables.ts'), 'utf8'),
      await describeTables(database.pool),
      'run `npm run generate`',
    )
  })

  test('generates types for identity, generated, array and nullable columns and for columns with defaults', async () => {
    await database.pool.query(`create schema described; set search_path to described;
      create table two_words (id bigint generated always as identity, added timestamptz default now() not null,
        tags text[] not null, seen timestamptz, size int8 default 0, half int generated always as (1) stored, data jsonb, check (size >= 0));
      create unique index two_words_by_tag on two_words (tags)`)
    const text = await describeTables(database.pool)
    assert.match(
      text,
      /interface TwoWordsTable \{\n  id: ColumnType<number, never, never>\n  added: Generated<Timestamp>\n  tags: string\[\]\n/,
    )
    assert.match(
      text,
      /  seen: Timestamp \| null\n  size: Generated<number \| null>\n  half: ColumnType<number \| null, never, never>\n  data: unknown\n/,
    )
    assert.match(text, /interface Database \{\n  two_words: TwoWordsTable\n\}/)
    assert.match(text, /type Constraint =\n  \| 'two_words_by_tag'\n  \| 'two_words_size_check'\n$/)
  })
})
