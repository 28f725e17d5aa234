import type { VisitorText } from '../../http/pages/text/english.ts'

const minuteMs = 60_000
const units = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const
const maxRelativeDays = 90

/** Returns a future time in words, such as `in 6 days`, or as a date if it is more than 90 days away. */
export function remainingTime(now: Date, time: Date, { locale, download }: VisitorText): string {
  const remainingMs = time.getTime() - now.getTime()
  if (remainingMs > maxRelativeDays * units[0][1])
    return download.onDate(time.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }))
  const [unit, unitMs] = units.find(([, ms]) => remainingMs >= ms) ?? ['minute', minuteMs]
  return remainingMs < minuteMs
    ? download.withinAMinute
    : new Intl.RelativeTimeFormat(locale).format(Math.floor(remainingMs / unitMs), unit)
}
