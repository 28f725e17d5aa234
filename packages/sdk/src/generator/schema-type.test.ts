import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaType } from './schema-type.ts'
import type { Schema } from './schema-type.ts'

const cases: [string, Schema, string][] = [
  ['a scalar', { type: 'integer' }, 'number'],
  ['anything', true, 'unknown'],
  ['nothing', false, 'never'],
  ['a constant', { const: 'file' }, '"file"'],
  ['an enumeration', { type: 'string', enum: ['asc', 'desc'] }, '("asc" | "desc")'],
  ['a null among the types', { type: ['string', 'null'] }, '(string | null)'],
  ['the nullable of OpenAPI 3.0', { type: 'string', nullable: true }, '(string | null)'],
  ['alternatives', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '(number | null)'],
  ['alternatives that are one type', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
  [
    'all of several',
    { allOf: [{ $ref: '#/components/schemas/Build' }, { type: 'object', properties: { a: true } }] },
    '(Build & { a?: unknown })',
  ],
  ['a reference with dashes', { $ref: '#/components/schemas/file-record' }, 'FileRecord'],
  [
    'a list of alternatives',
    { type: 'array', items: { type: ['string', 'null'] } },
    'Array<(string | null)>',
  ],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string, number]'],
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }, '{ [key: string]: string }'],
  [
    'a map by pattern',
    { type: 'object', patternProperties: { '^.*$': { type: 'number' } } },
    '{ [key: string]: number }',
  ],
  ['an object closed and empty', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
  ['an object of nothing known', { type: 'object' }, '{ [key: string]: unknown }'],
  [
    'required, optional and odd names',
    { type: 'object', properties: { id: { type: 'string' }, 'x-y': { type: 'null' } }, required: ['id'] },
    '{ id: string; "x-y"?: null }',
  ],
]

for (const [name, schema, expected] of cases) {
  test(`the type of ${name}, from its schema, is TypeScript's`, () => {
    assert.equal(schemaType(schema), expected)
  })
}

test('a reference outside the components, met while generating, stops the generator', () => {
  assert.throws(() => schemaType({ $ref: 'other.json#/Build' }), /cannot follow the reference other\.json/)
})
