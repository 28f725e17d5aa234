import { readTime } from '../../lib/time.ts'

/** A value encoded in a cursor. The cursor is opaque to clients, which send it back unchanged. */
export type CursorValue = string | number | boolean | null

/**
 * Returns the values as a URL-safe string. The first value identifies the feed and the version of its cursor format.
 */
export const encodeCursor = (values: readonly CursorValue[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** Returns the values of a cursor, or undefined if the text is not a cursor for this feed. */
export function decodeCursor(text: string, feed: string): CursorValue[] | undefined {
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  return Array.isArray(values) && values[0] === feed && values.every(isCursorValue) ? values : undefined
}

// Strings are restricted, because they are passed to the database, which does not accept U+0000 or lone surrogates.
const isCursorValue = (value: unknown): value is CursorValue =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
  (typeof value === 'string' && /^[\w:.-]{0,300}$/.test(value))

/** Where a page of a list starts: after the entry with this time and ID. */
export type ListPosition = { time: string; id: string }

/** Returns the cursor of a position in a list. */
export const encodePosition = (feed: string, { time, id }: ListPosition): string =>
  encodeCursor([feed, time, id])

/** Returns the position that a cursor contains, or undefined if the text is not a cursor for this feed. */
export function decodePosition(text: string, feed: string): ListPosition | undefined {
  const [, at, id] = decodeCursor(text, feed) ?? []
  const time = typeof at === 'string' ? readTime(at) : undefined
  return time === undefined || typeof id !== 'string' ? undefined : { time, id }
}
