import type { Operations } from '@quayside/sdk'
import { responseFields, schemaFields } from '@quayside/sdk/fields'
import type { Fields } from '@quayside/sdk/fields'
import { unknownField } from './json-fields.ts'

/**
 * The fields of a result: those of the `data` of an API operation, those of several results, the listed ones, `true` if
 * any field is possible, or `false` if there are none.
 */
export type ResultFields =
  | boolean
  | keyof Operations
  | readonly ResultFields[]
  | { readonly [name: string]: ResultFields }

/** Throws if a result can never have one of the selected fields, such as `stream.name`. */
export function requireDeclaredFields(result: ResultFields, selected: string[]): void {
  for (const field of selected) {
    let level: Fields = resolve(result)
    const path: string[] = []
    for (const name of field.split('.')) {
      const known = namesIn(level)
      if (known === undefined) break
      const next = known.get(name)
      if (next === undefined)
        throw unknownField(
          [...path, name].join('.'),
          [...known.keys()].map((each) => [...path, each].join('.')),
        )
      path.push(name)
      level = next
    }
  }
}

/** Replaces the names of operations with their fields. */
function resolve(result: ResultFields): Fields {
  if (typeof result === 'boolean') return result
  if (typeof result === 'string') return responseFields[result]
  if (isList(result)) return result.map(resolve)
  return Object.fromEntries(Object.entries(result).map(([name, nested]) => [name, resolve(nested)]))
}

/** Returns the fields by their names, or undefined if any name is possible. */
function namesIn(fields: Fields): Map<string, Fields> | undefined {
  if (fields === true) return undefined
  if (fields === false) return new Map()
  if (typeof fields === 'string') return namesIn(schemaFields[fields] ?? true)
  if (!isList(fields)) return new Map(Object.entries(fields))
  const all = new Map<string, Fields>()
  for (const each of fields) {
    const names = namesIn(each)
    if (names === undefined) return undefined
    for (const [name, nested] of names) {
      const earlier = all.get(name)
      all.set(name, earlier === undefined ? nested : [earlier, nested])
    }
  }
  return all
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList<Item>(value: readonly Item[] | object): value is readonly Item[] {
  return Array.isArray(value)
}
