import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaType } from './schema-type.ts'
import type { Schema } from './schema-type.ts'

const cases: [string, Schema, string][] = [
  ['an integer schema', { type: 'integer' }, 'number'],
  ['a schema that allows any value', true, 'unknown'],
  ['a schema that allows no value', false, 'never'],
  ['a const schema', { const: 'file' }, '"file"'],
  ['an enum schema', { type: 'string', enum: ['asc', 'desc'] }, '("asc" | "desc")'],
  ['a nullable schema', { type: ['string', 'null'] }, '(string | null)'],
  ['an anyOf schema', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '(number | null)'],
  [
    'a oneOf schema whose alternatives have the same TypeScript type',
    { oneOf: [{ type: 'integer' }, { type: 'number' }] },
    'number',
  ],
  [
    'an allOf schema',
    { allOf: [{ $ref: '#/components/schemas/Build' }, { type: 'object', properties: { a: true } }] },
    '(Build & { a?: unknown })',
  ],
  ['a reference to a hyphenated schema name', { $ref: '#/components/schemas/file-record' }, 'FileRecord'],
  [
    'an array schema with nullable items',
    { type: 'array', items: { type: ['string', 'null'] } },
    'Array<(string | null)>',
  ],
  [
    'a tuple schema',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    '[string, number]',
  ],
  ['a map schema', { type: 'object', additionalProperties: { type: 'string' } }, '{ [key: string]: string }'],
  [
    'a map schema that uses patternProperties',
    { type: 'object', patternProperties: { '^.*$': { type: 'number' } } },
    '{ [key: string]: number }',
  ],
  [
    'an object schema that allows no properties',
    { type: 'object', additionalProperties: false },
    'Record<string, never>',
  ],
  ['an object schema without declared properties', { type: 'object' }, '{ [key: string]: unknown }'],
  [
    'an object schema with required properties, optional properties and names that need quotes',
    { type: 'object', properties: { id: { type: 'string' }, 'x-y': { type: 'null' } }, required: ['id'] },
    '{ id: string; "x-y"?: null }',
  ],
]

for (const [name, schema, expected] of cases) {
  test(`converts ${name} to TypeScript`, () => {
    assert.equal(schemaType(schema), expected)
  })
}

test('rejects a reference to a schema outside the document', () => {
  assert.throws(() => schemaType({ $ref: 'other.json#/Build' }), /unresolved reference other\.json/)
})
