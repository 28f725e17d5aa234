const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i

/**
 * Converts an ISO 8601 timestamp to a form that PostgreSQL accepts, in UTC if it has no time zone. Returns undefined if
 * the timestamp is invalid.
 */
export function readTime(text: string): string | undefined {
  const match = iso.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((n) => Number(n ?? 0))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const hasTime = match[4] !== undefined
  const hasZone = hasTime && /(Z|[+-]\d\d:?\d\d)$/i.test(text)
  const zone = /[+-](\d\d):?(\d\d)$/.exec(hasTime ? text : '')
  if (zone !== null && (Number(zone[1]) > 14 || Number(zone[2]) > 59)) return undefined
  const minutesEast = zone === null ? 0 : Number(`${zone[0][0]}1`) * (Number(zone[1]) * 60 + Number(zone[2]))
  const utcYear = new Date(date.getTime() + (hour * 60 + minute - minutesEast) * 60_000).getUTCFullYear()
  // ISO 8601 years have four digits.
  if (utcYear < 1 || utcYear > 9999) return undefined
  // PostgreSQL rounds to microseconds, which could even change the year.
  const withPoint = text.replace(',', '.').replace(/(\.\d{6})\d+/, '$1')
  return hasZone ? withPoint : hasTime ? `${withPoint}Z` : `${withPoint}T00:00:00Z`
}

/** Formats a time as in API responses: in UTC with microseconds. */
export const isoMicroseconds = (time: Date): string => time.toISOString().replace('Z', '000Z')
