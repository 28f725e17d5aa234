import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { invalid, noKnownFields, wholeBody } from './validation.ts'

/** Returns the body schema of a PATCH, in which every field is optional. */
export const changesOf = <P extends TProperties>(fields: P) =>
  Type.Partial(Type.Object(fields), { minProperties: 1 })

/** Trims a description. Returns null if the result is empty. */
export const descriptionFrom = (input: string | null | undefined): string | null => {
  const text = input?.trim() ?? ''
  return text === '' ? null : text
}

/** Returns the known fields of a PATCH body with strings trimmed. Throws `invalid` if there are none. */
export function givenChanges<T extends TObject>(schema: T, body: Static<T>): Static<T> {
  const changes = Object.entries(body as Record<string, unknown>)
    .filter(([field, value]) => Object.hasOwn(schema.properties, field) && value !== undefined)
    .map(([field, value]) => [field, typeof value === 'string' ? trimField(field, value) : value])
  if (changes.length === 0) throw invalid({ [wholeBody]: [noKnownFields(schema)] })
  return Object.fromEntries(changes) as Static<T>
}

const trimField = (field: string, text: string): string | null =>
  clearableFields.has(field) ? descriptionFrom(text) : text.trim()

/** The fields for which the empty string means that there is no value. */
const clearableFields: ReadonlySet<string> = new Set(['description', 'sso_group'])
