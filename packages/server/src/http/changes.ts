import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { invalid } from './validation.ts'

/** Body of a PATCH: fields that are not given stay as they are. */
export const changesOf = <P extends TProperties>(fields: P) =>
  Type.Partial(Type.Object(fields), { minProperties: 1 })

/** A description as it is kept: without outer blanks, null where it says nothing. */
export const descriptionFrom = (given: string | null | undefined): string | null => {
  const text = given?.trim() ?? ''
  return text === '' ? null : text
}

/** The known fields that were given, names and descriptions without outer blanks; throws `invalid` when there are none. */
export function givenChanges<T extends TObject>(schema: T, body: Static<T>): Static<T> {
  const given = Object.entries(body as Record<string, unknown>)
    .filter(([field, value]) => Object.hasOwn(schema.properties, field) && value !== undefined)
    .map(([field, value]) => [field, typeof value === 'string' ? kept(field, value) : value])
  if (given.length === 0) throw invalid({ '': ['must hold at least one field to change.'] })
  return Object.fromEntries(given) as Static<T>
}

const kept = (field: string, text: string): string | null =>
  field === 'description' ? descriptionFrom(text) : text.trim()
