import { Failure } from '../failure.ts'

/** The selected fields of an object. An empty map selects the whole value. */
type Selection = Map<string, Selection>

/**
 * Returns a value with only the selected fields, such as `id` or `stream.name`. In a list, selects the fields of each
 * item. Missing fields are null.
 */
export function selectFields(value: unknown, fields: string[]): unknown {
  return select(value, parseSelection(fields))
}

/** Throws if a value or, for a list, all of its items lack one of the selected fields. */
export function requireFields(value: unknown, fields: string[]): void {
  requireSelection([value], parseSelection(fields), '')
}

/** Splits a comma-separated list of fields. */
export function parseFieldList(text: string): string[] {
  return text
    .split(',')
    .map((field) => field.trim())
    .filter(Boolean)
}

function parseSelection(fields: string[]): Selection {
  const selection: Selection = new Map()
  // Shorter paths are processed first, so that `stream` selects the whole stream even if `stream.name` is selected too.
  for (const field of fields.toSorted((a, b) => a.length - b.length)) {
    const names = field.split('.')
    let level = selection
    for (const [depth, name] of names.entries()) {
      const existing = level.get(name)
      if (existing?.size === 0) break
      const next: Selection = existing ?? new Map()
      level.set(name, next)
      level = next
      if (depth === names.length - 1) next.clear()
    }
  }
  return selection
}

function requireSelection(values: unknown[], selection: Selection, path: string): void {
  if (selection.size === 0) return
  const items = values.flat(1).filter((value) => value !== null && value !== undefined)
  // The available fields are unknown if there are no items, as in an empty list.
  if (items.length === 0) return
  const objects = items.filter((item) => typeof item === 'object') as Record<string, unknown>[]
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  for (const [name, nested] of selection) {
    if (!names.includes(name))
      throw unknownField(
        `${path}${name}`,
        names.map((known) => `${path}${known}`),
      )
    requireSelection(
      objects.map((object) => object[name]),
      nested,
      `${path}${name}.`,
    )
  }
}

/** Returns the error for a field that a result does not have. */
export function unknownField(field: string, known: string[]): Failure {
  const available = known.length === 0 ? '' : ` Available fields: ${known.join(', ')}.`
  return new Failure('usage', `The result has no field "${field}".${available}`)
}

function select(value: unknown, selection: Selection): unknown {
  if (selection.size === 0) return value ?? null
  if (Array.isArray(value)) return value.map((item) => select(item, selection))
  if (typeof value !== 'object' || value === null) return null
  const object = value as Record<string, unknown>
  return Object.fromEntries([...selection].map(([name, nested]) => [name, select(object[name], nested)]))
}
