import type { TSchema } from 'typebox'

type Schema = TSchema & {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

const wholeNumber = /^-?\d{1,16}$/

/** Query values are text: whole numbers and booleans become what the schema says, an empty value is no value. */
export function normaliseQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as Schema).properties ?? {}
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    if (value === undefined || value === '') continue
    result[name] = fromText(property, value)
  }
  return result
}

/** Bodies of the upload flow: "" and null of optional fields are dropped, decimal strings become integers. */
export function normaliseLenientBody(schema: TSchema, value: unknown): unknown {
  const { properties, items, required = [] } = schema as Schema
  if (Array.isArray(value))
    return items === undefined ? value : value.map((v) => normaliseLenientBody(items, v))
  if (properties === undefined) return fromText(schema, value)
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const field = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    if (field === undefined) continue
    if ((field === '' || field === null) && (!required.includes(name) || field === null)) continue
    result[name] = normaliseLenientBody(property, field)
  }
  return result
}

function fromText(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (schema.type === 'integer' && wholeNumber.test(value)) return Number(value)
  if (schema.type === 'boolean' && (value === 'true' || value === '1')) return true
  if (schema.type === 'boolean' && (value === 'false' || value === '0')) return false
  return value
}
