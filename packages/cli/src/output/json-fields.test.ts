import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../failure.ts'
import { requireFields, selectFields } from './json-fields.ts'

const builds = [
  { id: 'a', version: '1.0.0', stream: { id: 's', name: 'default' }, labels: [{ id: 'l', name: 'smoke' }] },
  { id: 'b', version: '1.1.0', stream: { id: 's', name: 'default' }, labels: [], notes: 'Second' },
]

test('selects fields of each item and keeps their nesting', () => {
  assert.deepEqual(selectFields(builds, ['id', 'stream.name', 'labels.name']), [
    { id: 'a', stream: { name: 'default' }, labels: [{ name: 'smoke' }] },
    { id: 'b', stream: { name: 'default' }, labels: [] },
  ])
  assert.deepEqual(selectFields(builds[0], ['version', 'id']), { version: '1.0.0', id: 'a' })
})

test('selects a whole object even if one of its fields is selected too', () => {
  assert.deepEqual(selectFields({ stream: { id: 's', name: 'n' } }, ['stream.name', 'stream']), {
    stream: { id: 's', name: 'n' },
  })
})

test('returns null for a field that an item lacks', () => {
  assert.deepEqual(selectFields(builds, ['notes']), [{ notes: null }, { notes: 'Second' }])
  assert.deepEqual(selectFields({ scm: null }, ['scm.branch']), { scm: null })
})

test('names the available fields if no item has a field', () => {
  const table: [string, RegExp][] = [
    ['name', /^The result has no field "name"\. Available fields: id, version, stream, labels, notes\.$/],
    ['stream.title', /no field "stream\.title"\. Available fields: stream\.id, stream\.name\./],
    ['id.part', /^The result has no field "id\.part"\.$/],
    ['toString', /no field "toString"/],
  ]
  for (const [field, message] of table)
    assert.throws(
      () => requireFields(builds, [field]),
      (error) => error instanceof Failure && error.kind === 'usage' && message.test(error.message),
    )
})

test('accepts any field name for an empty list', () => {
  requireFields([], ['anything'])
  assert.deepEqual(selectFields([], ['anything']), [])
})
