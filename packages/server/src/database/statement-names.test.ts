import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StatementNames } from './statement-names.ts'

const twice = (names: StatementNames, text: string, parameterCount = 1) => {
  names.nameOf(text, parameterCount)
  return names.nameOf(text, parameterCount)
}

describe('statement names', () => {
  test('a text, asked for again, has one short name of its own', () => {
    const names = new StatementNames(10)
    assert.equal(names.nameOf('select $1', 1), undefined)
    const name = names.nameOf('select $1', 1)
    assert.match(name ?? '', /^q_[\w-]{22}$/)
    assert.equal(names.nameOf('select $1', 1), name)
    assert.notEqual(twice(names, 'select $1 + 1'), name)
  })

  test('texts that can not or need not be prepared, stay unnamed', () => {
    const names = new StatementNames(10)
    for (const text of ['begin', 'commit', 'create table a (b int)', 'listen keys', 'select 1; select 2'])
      assert.equal(twice(names, text, 0), undefined, text)
  })

  test('ever new texts, do not take the names from those that come back', () => {
    const names = new StatementNames(10)
    for (let i = 0; i < 10_000; i++) assert.equal(names.nameOf(`select $1 + ${i}`, 1), undefined)
    assert.notEqual(twice(names, 'select $1'), undefined)
  })

  test('more texts than names, the rest goes unnamed', () => {
    const names = new StatementNames(3)
    const given = Array.from({ length: 50 }, (_, i) => twice(names, `select $1 + ${i}`))
    assert.equal(given.filter((name) => name !== undefined).length, 3)
  })

  test('a barred text, asked for again, stays unnamed', () => {
    const names = new StatementNames(3)
    twice(names, 'select $1')
    names.bar('select $1')
    assert.equal(twice(names, 'select $1'), undefined)
  })
})
