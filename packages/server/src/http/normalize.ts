import type { TSchema } from 'typebox'

type Schema = TSchema & {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxItems?: number
  anyOf?: Schema[]
}

const integerPattern = /^-?\d{1,16}$/

/** Converts query values to the integers and booleans of the schema; drops empty values and undeclared parameters. */
export function normalizeQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as Schema).properties ?? {}
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    if (value === undefined || value === '') continue
    result[name] = fromText(property, value)
  }
  return result
}

type Options = {
  /** For the upload endpoints: drops null and optional "" and converts decimal strings to integers. */
  isLenient: boolean
}

/** Returns the body reduced to the fields that the schema declares. */
export function normalizeBody(schema: TSchema, value: unknown, { isLenient }: Options): unknown {
  const { properties, items, maxItems = Infinity, required = [] } = schema as Schema
  if (Array.isArray(value)) {
    // One entry too many is enough for validation to fail, so the rest of a huge list is not processed.
    const entries = value.slice(0, maxItems + 1) as unknown[]
    return items === undefined ? entries : entries.map((item) => normalizeBody(items, item, { isLenient }))
  }
  if (properties === undefined) return isLenient ? fromText(schema, value) : value
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const field = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    const isAbsent = isLenient && (field === null || (field === '' && !required.includes(name)))
    if (field !== undefined && !isAbsent) result[name] = normalizeBody(property, field, { isLenient })
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
