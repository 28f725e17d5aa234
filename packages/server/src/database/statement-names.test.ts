import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StatementNames } from './statement-names.ts'

const twice = (names: StatementNames, text: string, parameterCount = 1) => {
  names.nameOf(text, parameterCount)
  return names.nameOf(text, parameterCount)
}

describe('statement names', () => {
  test('assigns a unique short name to a repeated statement and reuses it', () => {
    const names = new StatementNames(10)
    assert.equal(names.nameOf('select $1', 1), undefined)
    const name = names.nameOf('select $1', 1)
    assert.match(name ?? '', /^q_[\w-]{22}$/)
    assert.equal(names.nameOf('select $1', 1), name)
    assert.notEqual(twice(names, 'select $1 + 1'), name)
  })

  test('assigns no name to statements that cannot or need not be prepared', () => {
    const names = new StatementNames(10)
    for (const text of ['begin', 'commit', 'create table a (b int)', 'listen keys', 'select 1; select 2'])
      assert.equal(twice(names, text, 0), undefined, text)
  })

  test('still assigns names to repeated statements after many one-off statements', () => {
    const names = new StatementNames(10)
    for (let i = 0; i < 10_000; i++) assert.equal(names.nameOf(`select $1 + ${i}`, 1), undefined)
    assert.notEqual(twice(names, 'select $1'), undefined)
  })

  test('never assigns more names than the limit allows', () => {
    const names = new StatementNames(3)
    const results = Array.from({ length: 50 }, (_, i) => twice(names, `select $1 + ${i}`))
    assert.equal(results.filter((name) => name !== undefined).length, 3)
  })

  test('stops assigning a name to a statement once it is barred', () => {
    const names = new StatementNames(3)
    twice(names, 'select $1')
    names.bar('select $1')
    assert.equal(twice(names, 'select $1'), undefined)
  })
})
