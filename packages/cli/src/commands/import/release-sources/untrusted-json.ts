// Other services may send anything, so each field is read by its type.

export type Fields = Record<string, unknown>

/** Returns an object, or an empty one for any other value. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Returns the objects of an array, or an empty array for any other value. */
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** Returns text that is not blank, or null. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.toWellFormed() : null

/** Returns a text or a number as text, or null. */
export const idOf = (value: unknown): string | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value)

/** Returns a number of bytes, or undefined. */
export const sizeOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Returns a time as an ISO 8601 timestamp, or null. Gitea reports the year 1 or 1970 for a time that is not set. */
export function timeOf(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) || time < Date.UTC(1980) ? null : new Date(time).toISOString()
}

/** Returns a checksum in hexadecimal, or null. */
export const sha256Of = (value: unknown): string | null => hexOf(value, 64)
export const md5Of = (value: unknown): string | null => hexOf(value, 32)

const hexOf = (value: unknown, length: number): string | null =>
  typeof value === 'string' && value.length === length && /^[0-9a-f]+$/i.test(value)
    ? value.toLowerCase()
    : null
