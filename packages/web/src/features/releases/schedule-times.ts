/** Returns the ISO timestamp of a local time; undefined if it is missing or not in the future. */
export function futureTimestamp(value: string): string | undefined {
  const time = new Date(value)
  return time.getTime() > Date.now() ? time.toISOString() : undefined
}

/** Returns the time zone of the person with its offset at a time, such as `Europe/Madrid (GMT+1)`. */
export function localZone(at: Date): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  return offset === undefined || offset === timeZone ? timeZone : `${timeZone} (${offset})`
}

/** Returns a time in UTC, such as `Dec 1, 2026, 09:00`. */
export const utcTime = (time: Date): string =>
  new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    // Without it, midnight is 24:00 of the day before.
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(time)

/** Returns times at which releases are often published. */
export function suggestions(now: Date): { label: string; at: Date }[] {
  const morning = (days: number) => {
    const at = new Date(now)
    // Days with a change of daylight saving time have 23 or 25 hours.
    at.setDate(at.getDate() + days)
    at.setHours(9, 0, 0, 0)
    return at
  }
  const daysToMonday = (8 - now.getDay()) % 7 || 7
  return [
    { label: 'In 1 hour', at: new Date(Math.ceil((now.getTime() + 3_600_000) / 60_000) * 60_000) },
    { label: 'Tomorrow, 9:00', at: morning(1) },
    ...(daysToMonday === 1 ? [] : [{ label: 'Monday, 9:00', at: morning(daysToMonday) }]),
  ]
}
