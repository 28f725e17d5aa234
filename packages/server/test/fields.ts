import { sample, type Schema } from './sample.ts'

/** A body field. Array indexes in `path` are always 0. */
export type Field = { path: string[]; schema: Schema; isRequired: boolean }

/** Returns the fields that a schema declares at any depth. */
export function fieldsOf(schema: Schema | undefined, path: string[] = []): Field[] {
  const { properties = {}, required = [], items } = schema ?? {}
  const inner = Object.entries(properties).flatMap(([name, property]) => {
    const field = { path: [...path, name], schema: property, isRequired: required.includes(name) }
    return [field, ...fieldsOf(property, field.path)]
  })
  if (items === undefined) return inner
  const entry = { path: [...path, '0'], schema: items, isRequired: true }
  return [...inner, entry, ...fieldsOf(items, entry.path)]
}

const placeholder = '@@placeholder@@'

/** Returns the body as JSON, with the values at `paths` replaced by the JSON text in `json`. */
export function withFields(body: unknown, schema: Schema, paths: string[][], json: string): string {
  const copy = structuredClone(body) as Record<string, unknown>
  for (const path of paths) {
    let at = copy
    let part = schema
    for (const [index, name] of path.entries()) {
      part = (part.items ?? part.properties?.[name])!
      if (index === path.length - 1) at[name] = placeholder
      else at = at[name] = (at[name] ?? sample(part, path.slice(0, index + 1).join('.'))) as typeof at
    }
  }
  return JSON.stringify(copy).replaceAll(`"${placeholder}"`, () => json)
}

/** Returns whether the field rejects every value of the same type as this value. */
export function isWrongType({ schema, isRequired }: Field, value: unknown, isLenient: boolean): boolean {
  if (schema.textKind === 'reported') return false
  if (schema.takesNumbers === true && typeof value === 'number') return false
  if (isLenient && !isRequired && (value === null || value === '')) return false
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(
    ({ type, enum: values }) => type ?? (values && 'string') ?? [],
  )
  if (types.length === 0) return false
  const hasType = (type: string) =>
    type === 'null'
      ? value === null
      : type === 'array'
        ? Array.isArray(value)
        : type === 'integer'
          ? Number.isInteger(value) || (isLenient && typeof value === 'string')
          : type === 'object'
            ? typeof value === 'object' && value !== null && !Array.isArray(value)
            : typeof value === type
  return !types.some(hasType)
}
