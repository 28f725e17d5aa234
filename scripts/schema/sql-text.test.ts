import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitList, splitStatements } from './sql-text.ts'

test('statements end at semicolons, but not at those in quotes, dollar quotes and comments', () => {
  const sql = `
    create table a (t text check (t <> ';')); -- a; b
    create function f() returns trigger as $$ begin; new.x := 'it''s; so'; end $$;
    insert into a values ('--not a comment; (');
    select $x$ ; $$ ; $x$
  `
  const statements = splitStatements(sql)
  assert.equal(statements.length, 4)
  assert.equal(statements[0], `create table a (t text check (t <> ';'))`)
  assert.match(statements[1] ?? '', /end \$\$$/)
  assert.equal(statements[2], `insert into a values ('--not a comment; (')`)
})

test('lists are split at commas outside parentheses and quotes', () => {
  assert.deepEqual(splitList(`a text check (a in ('x', 'y')), b text default ',(' , unique (a, b)`), [
    `a text check (a in ('x', 'y'))`,
    `b text default ',('`,
    'unique (a, b)',
  ])
})
