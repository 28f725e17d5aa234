import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { connectDatabase } from './connect.ts'
import { describeTables } from './describe-tables.ts'

describe('table types', () => {
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

  test('tables.ts as committed, is what the migrations make (else run `npm run tables`)', async () => {
    assert.equal(
      await readFile(join(import.meta.dirname, 'tables.ts'), 'utf8'),
      await describeTables(database.pool),
    )
  })

  test('columns with defaults, identities, arrays and nulls, have the types that reading and writing need', async () => {
    await database.pool.query(`create schema described; set search_path to described;
      create table two_words (id bigint generated always as identity, made timestamptz default now() not null,
        tags text[] not null, seen timestamptz, size int8 default 0, half int generated always as (1) stored, data jsonb, check (size >= 0));
      create unique index two_words_by_tag on two_words (tags)`)
    const text = await describeTables(database.pool)
    assert.match(
      text,
      /interface TwoWordsTable \{\n  id: ColumnType<number, never, never>\n  made: Generated<Timestamp>\n  tags: string\[\]\n/,
    )
    assert.match(
      text,
      /  seen: Timestamp \| null\n  size: Generated<number \| null>\n  half: ColumnType<number \| null, never, never>\n  data: unknown\n/,
    )
    assert.match(text, /interface Database \{\n  two_words: TwoWordsTable\n\}/)
    assert.match(text, /type Constraint =\n  \| 'two_words_by_tag'\n  \| 'two_words_size_check'\n$/)
  })
})
