import type { ChartPeriod } from '../../ui/charts/chart-values.ts'
import { shortDay } from '../../ui/format/time.ts'
import type { insightsGroups } from './insights.search.ts'

const maxDailyBars = 31
const daysPerWeek = 7

export type PeriodUnit = (typeof insightsGroups)[number]

export type Periods = {
  unit: PeriodUnit
  labels: string[]
  periods: ChartPeriod[]
  /** Returns the sum of daily values in each period. */
  sumsOf: (values: readonly number[]) => number[]
  /** Returns the last of the daily values in each period. */
  lastOf: (values: readonly number[]) => number[]
}

/** Days, or weeks if there are too many days for bars. */
export const defaultUnit = (dayCount: number): PeriodUnit => (dayCount > maxDailyBars ? 'week' : 'day')

/** Divides days into the periods of a chart. Weeks end with the last day. */
export function periodsOf(days: readonly string[], unit: PeriodUnit = defaultUnit(days.length)): Periods {
  const size = unit === 'week' ? daysPerWeek : 1
  const starts: number[] = []
  for (let end = days.length; end > 0; end -= size) starts.unshift(Math.max(0, end - size))
  const endOf = (index: number) => starts[index + 1] ?? days.length
  const periods = starts.map((start, index) =>
    labeledPeriod({ from: days[start] ?? '', to: days[endOf(index) - 1] ?? '' }),
  )
  return {
    unit,
    periods,
    labels: periods.map(({ label }) => label),
    sumsOf: (values) =>
      starts.map((start, index) => values.slice(start, endOf(index)).reduce((sum, value) => sum + value, 0)),
    lastOf: (values) => starts.map((_, index) => values[endOf(index) - 1] ?? 0),
  }
}

/** Returns a period with its name, such as `Nov 3`, `Nov 3 – Nov 9` or `Nov 3 – Nov 9, 2025`. */
export function labeledPeriod({ from, to }: { from: string; to: string }, nowMs = Date.now()): ChartPeriod {
  const last = shortDay(to, nowMs)
  // Both days have the year if they are not in the same one.
  const first = shortDay(from, from.slice(0, 4) === to.slice(0, 4) ? Date.parse(to) : nowMs)
  return { from, to, label: from === to ? last : `${first} – ${last}` }
}
