import { Type, type TSchema } from 'typebox'

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
  description: 'ISO 8601, UTC, microseconds.',
  examples: ['2026-11-21T02:40:11.123456Z'],
})

/** A path id of any form: what cannot exist is simply not found. */
export const PathId = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })

export const ApplicationId = PathId('Id of the application.')
export const BuildId = PathId('Id of the build.')

export const SizeBytes = Type.Integer({ minimum: 0, description: 'Bytes.' })

export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })

export const name = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', patternMessage: 'must not be empty.', description })

/** A comma-separated list in a query value. */
export const CommaSeparated = (what: string) =>
  Type.String({ maxLength: 5000, description: `${what}, separated by commas: what fits one of them.` })

export function splitCommas(value: string | undefined): string[] | undefined {
  const parts = value
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts === undefined || parts.length === 0 ? undefined : [...new Set(parts)]
}
