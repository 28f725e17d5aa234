import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractLines } from './lines.ts'

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

/** Asserts that a value has a shape. The error message contains `name`. */
export type Shape = (value: unknown, name: string) => void

const matches =
  (pattern: RegExp): Shape =>
  (value, name) =>
    assert.ok(typeof value === 'string' && pattern.test(value), `${name} is ${JSON.stringify(value)}`)

export const timestamp = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
export const uuid = matches(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
export const shortId = matches(/^[a-z0-9]{10}$|^[a-z0-9]{12}$/)
export const webUrl = matches(/^https?:\/\//)
export const text = matches(/./s)
export const integer: Shape = (value, name) =>
  assert.ok(Number.isSafeInteger(value), `${name} is ${String(value)}`)
export const boolean: Shape = (value, name) => assert.equal(typeof value, 'boolean', name)
export const is =
  (expected: unknown): Shape =>
  (value, name) =>
    assert.deepEqual(value, expected, name)
export const nullOr =
  (shape: Shape): Shape =>
  (value, name) => {
    if (value !== null) shape(value, name)
  }
/** Returns a shape that matches objects with at least these fields. */
export const has =
  (fields: Record<string, Shape>): Shape =>
  (value, name) => {
    assert.ok(typeof value === 'object' && value !== null, `${name} is ${String(value)}`)
    for (const [field, fieldShape] of Object.entries(fields)) {
      assert.ok(field in value, `${name} has no ${field}`)
      fieldShape((value as Record<string, unknown>)[field], `${name}.${field}`)
    }
  }

export const times = { created_at: timestamp, updated_at: timestamp }
export const owners = { application_id: shortId, workspace_id: shortId }

/** Asserts that the resource has these fields when read individually but not in a list. */
export function onlySingle(fields: string[], single: Json, listed: Json): void {
  for (const field of fields) {
    assert.ok(field in single, `the single resource has no ${field}`)
    assert.ok(!(field in listed), `the list has ${field}`)
  }
}

/** Returns the part of a contract line that the field tests check. */
const typeOf = (line: string) => contractLines.get(line)?.replace(/, (only in|a UUID for) .*/, '')

/** Declares one test per contract line, which asserts the shapes of the resource's fields. */
export function fieldTests(resource: Json, lines: Record<string, Record<string, Shape>>): void {
  for (const [line, fields] of Object.entries(lines))
    test(`matches the documented type "${typeOf(line)}" (${line})`, () => {
      has(fields)(resource, line)
    })
}
