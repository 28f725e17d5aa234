import { InvalidArgumentError } from 'commander'

/** Collects the values of a repeatable option that also accepts a comma-separated list. */
export function collectList(value: string, previous: string[] | undefined): string[] {
  const items = value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
  return [...(previous ?? []), ...items]
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value]
}

/** Returns a parser for integers from `min` to `max`, inclusive. */
export function integerBetween(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be an integer between ${min} and ${max}.`)
  }
}

/** Converts a duration such as `90s`, `30m` or `2h` to seconds. */
export function parseDurationSeconds(value: string): number {
  const duration = /^(\d{1,5})([smh])$/.exec(value)
  if (!duration) throw new InvalidArgumentError('Use a duration such as 90s, 30m or 2h.')
  return Number(duration[1]) * { s: 1, m: 60, h: 3600 }[duration[2] as 's' | 'm' | 'h']
}

/** Converts an ISO 8601 time, or a duration from now such as `90d` or `12h`, to an ISO 8601 timestamp. */
export function parseFutureTime(value: string): string {
  const duration = /^(\d{1,5})([hdw])$/.exec(value)
  if (duration) {
    const hours = { h: 1, d: 24, w: 168 }[duration[2] as 'h' | 'd' | 'w']
    return new Date(Date.now() + Number(duration[1]) * hours * 3_600_000).toISOString()
  }
  return parseTimestampOr(
    value,
    'Use a time such as 2027-01-31T12:00:00Z or a duration such as 12h, 90d or 4w.',
  )
}

/** Converts an ISO 8601 time, or an age such as `30m`, `12h` or `7d`, to an ISO 8601 timestamp. */
export function parseTimeOrAge(value: string): string {
  const age = /^(\d{1,5})([mhd])$/.exec(value)
  if (age) {
    const minutes = { m: 1, h: 60, d: 1_440 }[age[2] as 'm' | 'h' | 'd']
    return new Date(Date.now() - Number(age[1]) * minutes * 60_000).toISOString()
  }
  return parseTimestampOr(value, 'Use a time such as 2027-01-31T12:00:00Z or an age such as 30m, 12h or 7d.')
}

/** Converts a time such as `2027-01-31` or `2027-01-31T12:00:00Z` to an ISO 8601 timestamp. */
export function parseTimestamp(value: string): string {
  return parseTimestampOr(value, 'Use a time such as 2027-01-31 or 2027-01-31T12:00:00Z.')
}

function parseTimestampOr(value: string, hint: string): string {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError(hint)
  return date.toISOString()
}

/** Returns an http or https URL unchanged. */
export function parseWebUrl(value: string): string {
  if (/^https?:\/\/\S+$/i.test(value) && URL.canParse(value)) return value
  throw new InvalidArgumentError('Use a URL such as https://ci.example.com/runs/42.')
}
