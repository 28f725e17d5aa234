import type { TSchema } from 'typebox'

type Schema = TSchema & {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxItems?: number
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

type Options = {
  /** As in the upload flow: "" and null of optional fields are dropped, decimal strings become integers. */
  isLenient: boolean
}

/** Only what the schema declares: fields nobody asked for are dropped, whatever is in them. */
export function normaliseBody(schema: TSchema, value: unknown, { isLenient }: Options): unknown {
  const { properties, items, maxItems = Infinity, required = [] } = schema as Schema
  if (Array.isArray(value)) {
    // one more than allowed is enough to be refused: a list of a million wrong entries is not looked through
    const looked = value.slice(0, maxItems + 1) as unknown[]
    return items === undefined ? looked : looked.map((item) => normaliseBody(items, item, { isLenient }))
  }
  if (properties === undefined) return isLenient ? fromText(schema, value) : value
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const field = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    const isAbsent = isLenient && (field === null || (field === '' && !required.includes(name)))
    if (field !== undefined && !isAbsent) result[name] = normaliseBody(property, field, { isLenient })
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
