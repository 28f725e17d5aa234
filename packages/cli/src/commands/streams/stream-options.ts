import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { integerBetween } from '../../option-parsers.ts'

export type StreamOptions = { description?: string; retention?: number | 'none' }

const parseDays = integerBetween(1, 36_500)

/** Adds the options that describe a stream. */
export function withStreamOptions(command: Command): Command {
  return command
    .option('--description <text>', 'description of the stream')
    .option('--retention <days>', 'days after which builds expire, or "none"', (value) => {
      if (value === 'none') return value
      try {
        return parseDays(value)
      } catch {
        throw new InvalidArgumentError('Use a number of days between 1 and 36500, or "none".')
      }
    })
}

/** Returns the fields that the options set. */
export function streamFields({ description, retention }: StreamOptions): {
  description?: string | null
  retention_days?: number | null
} {
  return {
    ...(description === undefined ? {} : { description: description || null }),
    ...(retention === undefined ? {} : { retention_days: retention === 'none' ? null : retention }),
  }
}
