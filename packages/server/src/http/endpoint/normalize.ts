import type { TSchema } from 'typebox'
import { reportedText } from '../../lib/reported-text.ts'
import { normalizeName, type TextKind } from './fields.ts'

type Schema = TSchema & {
  textKind?: TextKind
  cutAt?: number
  takesNumbers?: true
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxItems?: number
  anyOf?: Schema[]
}

const integerPattern = /^-?\d{1,16}$/

/**
 * Converts query values to the integers and booleans that the schema expects. Drops empty values and undeclared
 * parameters.
 */
export function normalizeQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as Schema).properties ?? {}
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    if (value === undefined || value === '') continue
    // Names are stored in NFC. Other strings are stored as they were entered, which is usually also NFC.
    result[name] = fromText(property, typeof value === 'string' ? value.normalize('NFC') : value)
  }
  return result
}

type Options = {
  /** Whether to drop null and optional "" and to convert decimal strings to integers, as the upload endpoints do. */
  isLenient: boolean
}

/** Returns the body with normalized values and only the fields that the schema declares. */
export function normalizeBody(given: TSchema, value: unknown, { isLenient }: Options): unknown {
  const schema: Schema = given
  const { properties, items, maxItems = Infinity, required = [], anyOf = [] } = schema
  const { textKind, cutAt, takesNumbers } = anyOf.find((option) => option.textKind) ?? schema
  if (textKind === 'reported') return reportedText(value, cutAt ?? 0)
  if (textKind !== undefined && typeof value === 'string') return normalizeName(value)
  if (takesNumbers === true && typeof value === 'number') return String(value)
  if (Array.isArray(value)) {
    // One entry above the limit is enough for validation to fail, so the rest of a huge list is not processed.
    const entries = value.slice(0, maxItems + 1) as unknown[]
    return items === undefined ? entries : entries.map((item) => normalizeBody(items, item, { isLenient }))
  }
  if (properties === undefined) return isLenient ? fromText(schema, value) : value
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const field = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    const isAbsent = isLenient && (field === null || (field === '' && !required.includes(name)))
    if (field === undefined || isAbsent) continue
    const normalized = normalizeBody(property, field, { isLenient })
    // A reported string that consisted only of control characters is now empty and is dropped.
    if (normalized !== '' || property.textKind !== 'reported') result[name] = normalized
  }
  return result
}

function fromText(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (schema.type === 'integer' && integerPattern.test(value)) return Number(value)
  if (schema.type === 'boolean' && (value === 'true' || value === '1')) return true
  if (schema.type === 'boolean' && (value === 'false' || value === '0')) return false
  return value
}
