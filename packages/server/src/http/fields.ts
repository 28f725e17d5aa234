import { Type, type TSchema } from 'typebox'

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
  description: 'ISO 8601 timestamp in UTC with microseconds.',
  examples: ['2026-11-21T02:40:11.123456Z'],
})

/** An id in a path, in any format. A malformed id results in a 404. */
export const PathId = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })

export const ApplicationId = PathId('ID of the application.')
export const BuildId = PathId('ID of the build.')

// Accepts any address that a mail server might accept, because only sending an email shows whether it exists.
export const emailPattern = '^[^\\s@<>"(),:;\\\\\\[\\]]+@[^\\s@<>"(),:;\\\\\\[\\]]+$'

export const SizeBytes = Type.Integer({ minimum: 0, description: 'Size in bytes.' })

export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })

export const name = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', patternMessage: 'must not be empty.', description })

/** A comma-separated list in a query parameter. */
export const CommaSeparated = (items: string) =>
  Type.String({ maxLength: 5000, description: `${items}, separated by commas. Matches any of them.` })

/** Splits a comma-separated query value into unique entries; undefined when there are none. */
export function splitCommas(value: string | undefined): string[] | undefined {
  const parts = value
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts === undefined || parts.length === 0 ? undefined : [...new Set(parts)]
}
