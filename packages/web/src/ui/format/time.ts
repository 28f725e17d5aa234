import { plural } from './bytes.ts'
import { dateFormat } from './date-format.ts'

const relative = new Intl.RelativeTimeFormat('en')
const relativeDay = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })
const day = dateFormat({ dateStyle: 'medium' })

const utcDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

const units: ['year' | 'month' | 'day' | 'hour' | 'minute', number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

// Times are compared with a clock that is up to 20 seconds late.
const lateSeconds = 20

/** Returns a time relative to now, such as "3 minutes ago", "yesterday" or "in 2 days". */
export function relativeTime(timestamp: string, nowMs: number): string {
  const seconds = (Date.parse(timestamp) - nowMs) / 1000
  // A deadline is rounded: one that was set for seven days a minute ago is still seven days away.
  const [round, tolerance] = seconds > 0 ? [Math.round, 0.02] : [Math.trunc, 0]
  for (const [unit, unitSeconds] of units)
    if (Math.abs(seconds) >= unitSeconds * (1 - tolerance))
      return (unit === 'day' ? relativeDay : relative).format(round(seconds / unitSeconds), unit)
  return seconds > lateSeconds ? 'in a moment' : 'just now'
}

/** Returns for how long something has lasted, such as "4 days". */
export function elapsedTime(since: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(since)) / 1000
  for (const [unit, unitSeconds] of units)
    if (seconds >= unitSeconds) return plural(Math.trunc(seconds / unitSeconds), unit)
  return 'less than a minute'
}

/** Returns an age without "ago" for narrow columns, such as "3 min" or "2 d". */
export function shortAge(timestamp: string, nowMs: number): string {
  const seconds = Math.abs(nowMs - Date.parse(timestamp)) / 1000
  if (seconds < 60) return 'now'
  if (seconds < 3_600) return `${Math.trunc(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.trunc(seconds / 3_600)} h`
  if (seconds < 60 * 86_400) return `${Math.trunc(seconds / 86_400)} d`
  if (seconds < 2 * 365 * 86_400) return `${Math.trunc(seconds / (30 * 86_400))} mo`
  return `${Math.trunc(seconds / (365 * 86_400))} y`
}

export const absoluteTime = (timestamp: string): string => absolute(new Date(timestamp))

export const calendarDay = (timestamp: string): string => day(new Date(timestamp))

/** Returns the day of statistics, such as "Nov 3", with the year if it is not the current one. */
export function shortDay(isoDay: string, nowMs = Date.now()): string {
  const year = isoDay.slice(0, 4)
  const text = utcDay.format(Date.parse(isoDay))
  return new Date(nowMs).getUTCFullYear() === Number(year) ? text : `${text}, ${year}`
}

/** Returns the whole days from now until the timestamp; negative if it is in the past. */
export const daysUntil = (timestamp: string, nowMs: number): number =>
  Math.floor((Date.parse(timestamp) - nowMs) / 86_400_000)
