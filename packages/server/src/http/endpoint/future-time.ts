import { Type } from 'typebox'
import { readTime } from '../../lib/time.ts'
import { invalid } from './validation.ts'

/** Returns the schema of a field that `readFutureTime` parses. */
export const futureTime = (description: string) =>
  Type.String({ maxLength: 40, description, examples: ['2099-01-01T00:00:00Z'] })

const maxYears = 100
const maxMs = maxYears * 365 * 24 * 60 * 60 * 1000

/** Normalizes a time for the database; throws `invalid` unless it is within the next 100 years. */
export function readFutureTime(field: string, value: string, now: Date): string {
  const time = readTime(value)
  const ms = time === undefined ? Number.NaN : Date.parse(time)
  if (time !== undefined && ms > now.getTime() && ms < now.getTime() + maxMs) return time
  throw invalid({
    [field]: [
      `must be a future ISO 8601 timestamp within the next ${maxYears} years, such as 2099-01-01T00:00:00Z.`,
    ],
  })
}
