import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaType } from './schema-type.ts'
import type { Schema } from './schema-type.ts'

const cases: [string, Schema, string][] = [
  ['a scalar', { type: 'integer' }, 'number'],
  ['any value', true, 'unknown'],
  ['no value', false, 'never'],
  ['a constant', { const: 'file' }, '"file"'],
  ['an enumeration', { type: 'string', enum: ['asc', 'desc'] }, '("asc" | "desc")'],
  ['a nullable type', { type: ['string', 'null'] }, '(string | null)'],
  ['alternatives', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '(number | null)'],
  ['alternatives with equal types', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
  [
    'an intersection',
    { allOf: [{ $ref: '#/components/schemas/Build' }, { type: 'object', properties: { a: true } }] },
    '(Build & { a?: unknown })',
  ],
  ['a reference with a hyphen', { $ref: '#/components/schemas/file-record' }, 'FileRecord'],
  ['an array of a union', { type: 'array', items: { type: ['string', 'null'] } }, 'Array<(string | null)>'],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string, number]'],
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }, '{ [key: string]: string }'],
  [
    'a map with pattern properties',
    { type: 'object', patternProperties: { '^.*$': { type: 'number' } } },
    '{ [key: string]: number }',
  ],
  ['a closed empty object', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
  ['an object without properties', { type: 'object' }, '{ [key: string]: unknown }'],
  [
    'required, optional and quoted properties',
    { type: 'object', properties: { id: { type: 'string' }, 'x-y': { type: 'null' } }, required: ['id'] },
    '{ id: string; "x-y"?: null }',
  ],
]

for (const [name, schema, expected] of cases) {
  test(`converts ${name} to TypeScript`, () => {
    assert.equal(schemaType(schema), expected)
  })
}

test('rejects a reference that points outside the components', () => {
  assert.throws(() => schemaType({ $ref: 'other.json#/Build' }), /unresolved reference other\.json/)
})
