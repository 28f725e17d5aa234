import assert from 'node:assert/strict'
import { test } from 'node:test'

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export type Shape = (value: unknown, what: string) => void

const matches =
  (pattern: RegExp): Shape =>
  (value, what) =>
    assert.ok(typeof value === 'string' && pattern.test(value), `${what} is ${JSON.stringify(value)}`)

export const timestamp = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
export const uuid = matches(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
export const shortId = matches(/^[a-z0-9]{10}$|^[a-z0-9]{12}$/)
export const webUrl = matches(/^https?:\/\//)
export const text = matches(/./s)
export const integer: Shape = (value, what) =>
  assert.ok(Number.isSafeInteger(value), `${what} is ${String(value)}`)
export const boolean: Shape = (value, what) => assert.equal(typeof value, 'boolean', what)
export const is =
  (expected: unknown): Shape =>
  (value, what) =>
    assert.deepEqual(value, expected, what)
export const nullOr =
  (shape: Shape): Shape =>
  (value, what) => {
    if (value !== null) shape(value, what)
  }
/** An object with at least these fields. */
export const has =
  (fields: Record<string, Shape>): Shape =>
  (value, what) => {
    assert.ok(typeof value === 'object' && value !== null, `${what} is ${String(value)}`)
    for (const [name, shape] of Object.entries(fields)) {
      assert.ok(name in value, `${what} has no ${name}`)
      shape((value as Record<string, unknown>)[name], `${what}.${name}`)
    }
  }

export const times = { created_at: timestamp, updated_at: timestamp }
export const owners = { application_id: shortId, workspace_id: shortId }

/** Single reads carry these fields, lists never do. */
export function onlySingle(fields: string[], single: Json, listed: Json): void {
  for (const field of fields) {
    assert.ok(field in single, `the single read has no ${field}`)
    assert.ok(!(field in listed), `the list carries ${field}`)
  }
}

/** A test for each line of the contract, about fields of a resource that `read` gives. */
export function fieldTests(read: () => Json, lines: Record<string, Record<string, Shape>>): void {
  for (const [line, fields] of Object.entries(lines))
    test(line, () => {
      has(fields)(read(), line)
    })
}
