import { Type } from 'typebox'
import { readTime } from '../../lib/time.ts'

const optionalTime = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

/** Query parameters for lists that can be filtered by creation time. */
export const createdBetween = {
  created_after: optionalTime('Inclusive lower bound, an ISO 8601 timestamp.'),
  created_before: optionalTime('Exclusive upper bound, an ISO 8601 timestamp.'),
}

type Query = { created_after?: string; created_before?: string }

/** Returns the bounds in a form that the database accepts. Adds an error to `errors` for each invalid bound. */
export function readCreatedBetween(query: Query, errors: Record<string, string[]>) {
  const read = (field: keyof Query): string | undefined => {
    const text = query[field]
    const time = text === undefined ? undefined : readTime(text)
    if (text !== undefined && time === undefined) errors[field] = [explain(text)]
    return time
  }
  return { createdAfter: read('created_after'), createdBefore: read('created_before') }
}

function explain(text: string): string {
  const rule = 'must be an ISO 8601 timestamp such as 2026-11-21T00:00:00Z.'
  // A plus sign in a query string is decoded as a space.
  const isPlusDecoded = readTime(text.replace(/ (?=\d\d:?\d\d$)/, '+')) !== undefined
  return isPlusDecoded ? `${rule} Write the + of the UTC offset as %2B.` : rule
}
