import { sql, type RawBuilder } from 'kysely'
import { containsPattern } from '../../../database/expressions.ts'
import type { Filter, Operator } from './filter.ts'
import { ScimError } from './scim-error.ts'

/** How an attribute is compared. The keys of `elements` are the attributes of each element, such as `value`. */
export type Attribute =
  | { type: 'text'; column: RawBuilder<unknown>; isExact?: boolean }
  | { type: 'boolean'; column: RawBuilder<unknown> }
  | {
      type: 'elements'
      attributes: Attributes
      exists: (condition: RawBuilder<boolean>) => RawBuilder<boolean>
    }

export type Attributes = Readonly<Record<string, Attribute>>

/** Returns the condition of a filter. Throws `invalidFilter` for attributes and operators that are not supported. */
export function filterCondition(filter: Filter, attributes: Attributes): RawBuilder<boolean> {
  if (filter.kind === 'compare') return comparison(filter, attributes)
  if (filter.kind === 'not') return sql`(not ${filterCondition(filter.filter, attributes)})`
  if (filter.kind === 'some') {
    const attribute = requireAttribute(attributes, filter.path)
    if (attribute.type !== 'elements') throw unsupported(filter.path)
    return attribute.exists(filterCondition(filter.filter, attribute.attributes))
  }
  const [left, right] = [filter.left, filter.right].map((each) => filterCondition(each, attributes))
  return filter.kind === 'and' ? sql`(${left} and ${right})` : sql`(${left} or ${right})`
}

function comparison(
  filter: Extract<Filter, { kind: 'compare' }>,
  attributes: Attributes,
): RawBuilder<boolean> {
  const { path } = filter
  const [first = '', ...rest] = path.split('.')
  const parent = attributes[first]
  // `emails.value` and `emails` both mean the values of the elements.
  if (parent?.type === 'elements') {
    const inner = { ...filter, path: rest.length === 0 ? 'value' : rest.join('.') }
    if (filter.operator === 'pr' && rest.length === 0) return parent.exists(sql`true`)
    return parent.exists(comparison(inner, parent.attributes))
  }
  const attribute = requireAttribute(attributes, path)
  if (attribute.type === 'elements') throw unsupported(path)
  return attribute.type === 'text' ? textComparison(attribute, filter) : booleanComparison(attribute, filter)
}

function textComparison(
  { column, isExact = false }: Extract<Attribute, { type: 'text' }>,
  { path, operator, value }: Extract<Filter, { kind: 'compare' }>,
): RawBuilder<boolean> {
  if (operator === 'pr') return sql`coalesce(${column} <> '', false)`
  if (value === null && (operator === 'eq' || operator === 'ne'))
    return operator === 'eq' ? sql`(${column} is null)` : sql`(${column} is not null)`
  if (typeof value !== 'string') throw invalidFilter(`\`${path}\` is compared with a string.`)
  if (value.includes('\0')) throw invalidFilter('The filter contains a NUL character.')
  const [left, right] = isExact ? [column, sql`${value}`] : [sql`lower(${column})`, sql`lower(${value})`]
  const pattern = sql`${containsPattern(value)}`
  const conditions: Partial<Record<Operator, RawBuilder<boolean>>> = {
    eq: sql`coalesce(${left} = ${right}, false)`,
    ne: sql`(${left} is distinct from ${right})`,
    co: sql`coalesce(${left} like ${isExact ? pattern : sql`lower(${pattern})`}, false)`,
    sw: sql`coalesce(starts_with(${left}, ${right}), false)`,
    ew: sql`coalesce(right(${left}, length(${right})) = ${right}, false)`,
  }
  const condition = conditions[operator]
  if (condition === undefined) throw invalidFilter(`\`${path}\` does not support the operator ${operator}.`)
  return condition
}

function booleanComparison(
  { column }: Extract<Attribute, { type: 'boolean' }>,
  { path, operator, value }: Extract<Filter, { kind: 'compare' }>,
): RawBuilder<boolean> {
  if (operator === 'pr') return sql`true`
  const expected = typeof value === 'string' ? readBoolean(value) : value
  if (typeof expected !== 'boolean' || (operator !== 'eq' && operator !== 'ne'))
    throw invalidFilter(`\`${path}\` is compared with true or false, by eq or ne.`)
  return operator === 'eq' ? sql`(${column} = ${expected})` : sql`(${column} <> ${expected})`
}

const readBoolean = (text: string): boolean | undefined => ({ true: true, false: false })[text.toLowerCase()]

function requireAttribute(attributes: Attributes, path: string): Attribute {
  const attribute = Object.hasOwn(attributes, path) ? attributes[path] : undefined
  if (attribute === undefined) throw unsupported(path)
  return attribute
}

const unsupported = (path: string): ScimError =>
  invalidFilter(`\`${path.slice(0, 100)}\` cannot be used in a filter.`)

const invalidFilter = (detail: string): ScimError => new ScimError(400, detail, 'invalidFilter')
