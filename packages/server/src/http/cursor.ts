/** A value of an opaque cursor. Clients send a cursor back unchanged. */
export type CursorValue = string | number | boolean | null

/** Returns the values as URL-safe text. The first value identifies the feed and its cursor format version. */
export const encodeCursor = (values: readonly CursorValue[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** Returns the values of a cursor; undefined if the text is not a cursor of this feed. */
export function decodeCursor(text: string, feed: string): CursorValue[] | undefined {
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  return Array.isArray(values) && values[0] === feed && values.every(isCursorValue) ? values : undefined
}

// Text is passed to the database, which accepts neither U+0000 nor lone surrogates.
const isCursorValue = (value: unknown): value is CursorValue =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
  (typeof value === 'string' && /^[\w:.-]{0,300}$/.test(value))
