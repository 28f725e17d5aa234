const minuteMs = 60_000
const units = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const
const maxRelativeDays = 90

const words = new Intl.RelativeTimeFormat('en-US')
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Returns a future time in words, such as `in 6 days`, or as a date if it is more than 90 days away. */
export function remainingTime(now: Date, time: Date): string {
  const remainingMs = time.getTime() - now.getTime()
  if (remainingMs > maxRelativeDays * units[0][1]) return `on ${dates.format(time)}`
  const [unit, unitMs] = units.find(([, ms]) => remainingMs >= ms) ?? ['minute', minuteMs]
  return remainingMs < minuteMs
    ? 'in less than a minute'
    : words.format(Math.floor(remainingMs / unitMs), unit)
}
