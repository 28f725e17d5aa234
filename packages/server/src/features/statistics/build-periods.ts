import { Type } from 'typebox'
import { daysOf } from './daily-series.ts'
import type { Period } from './statistics.db.ts'

export const intervals = ['day', 'week'] as const
export type Interval = (typeof intervals)[number]

const maxDailyPeriods = 31
const daysPerWeek = 7

/** The first and the last day of a part of a period, in UTC. */
export type Part = { from: string; to: string }

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-21'] })

export const Parts = Type.Array(Type.Object({ from: Day, to: Day }), {
  description:
    'The first and last day of each period in UTC, oldest first. Every array of values has one value per period.',
})

export const intervalQuery = {
  interval: Type.Optional(
    Type.Enum([...intervals], {
      description: `Length of a period. Weeks end today, and the first one may be shorter. Defaults to \`day\` for up to ${maxDailyPeriods} days, otherwise to \`week\`.`,
    }),
  ),
}

export const defaultInterval = (days: number): Interval => (days > maxDailyPeriods ? 'week' : 'day')

/** Divides the days of a period into days or weeks, oldest first. The last week ends today. */
export function partsOf(period: Period, interval: Interval): Part[] {
  const days = daysOf(period)
  const size = interval === 'day' ? 1 : daysPerWeek
  const parts: Part[] = []
  for (let end = days.length; end > 0; end -= size) {
    const [from, to] = [days[Math.max(0, end - size)], days[end - 1]]
    if (from !== undefined && to !== undefined) parts.unshift({ from, to })
  }
  return parts
}

/** Returns the position of the part that contains the day `daysAgo` days before today. */
export function partAt(daysAgo: number, parts: readonly Part[], interval: Interval): number {
  const fromLast = interval === 'day' ? daysAgo : Math.floor(daysAgo / daysPerWeek)
  return parts.length - 1 - fromLast
}
