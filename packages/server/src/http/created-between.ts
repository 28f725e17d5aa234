import { Type } from 'typebox'
import { readTime } from '../lib/time.ts'

const time = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

/** Of lists that can be asked for what was made in a span of time. */
export const createdBetween = {
  created_after: time('ISO 8601, inclusive.'),
  created_before: time('ISO 8601, exclusive.'),
}

type Query = { created_after?: string; created_before?: string }

/** The span as the database takes it; what is no time is told in `errors`. */
export function readCreatedBetween(query: Query, errors: Record<string, string[]>) {
  const read = (field: keyof Query): string | undefined => {
    const given = query[field]
    const known = given === undefined ? undefined : readTime(given)
    if (given !== undefined && known === undefined)
      errors[field] = ['must be an ISO 8601 time such as 2026-11-21T00:00:00Z.']
    return known
  }
  return { createdAfter: read('created_after'), createdBefore: read('created_before') }
}
