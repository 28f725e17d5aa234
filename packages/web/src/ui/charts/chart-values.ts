import { formatBytes, formatCount } from '../format/bytes.ts'
import { formatDuration } from '../format/duration.ts'

export type ChartUnit = 'count' | 'bytes' | 'seconds'

/** The first and last day of a bar or point of a chart, in UTC. */
export type ChartPeriod = { from: string; to: string; label: string }

/** One value per period; null without a value. */
export type ChartSeries = { name: string; values: readonly (number | null)[] }

/** What a chart shows, from which its table and its CSV file are made as well. */
export type ChartValues = {
  periods: readonly ChartPeriod[]
  series: readonly ChartSeries[]
  unit: ChartUnit
  /** Whether the values of a period add up. */
  hasTotal?: boolean
  /** Whether something was recorded in each period, so that zero is a value. Otherwise a history begins with its first value. */
  recorded?: readonly number[]
}

const minPoints = 2

/** Returns whether there are values for at least two periods. */
export function hasEnoughPoints({ periods, series, recorded }: ChartValues): boolean {
  const history = recorded ?? periods.map((_, index) => totalOf(series, index))
  const first = history.findIndex((value) => value > 0)
  if (first === -1) return false
  const isPoint = (index: number) => series.some(({ values }) => (values[index] ?? null) !== null)
  return periods.filter((_, index) => index >= first && isPoint(index)).length >= minPoints
}

export function formatValue(value: number | null, unit: ChartUnit): string {
  if (value === null) return '–'
  return { count: formatCount, bytes: formatBytes, seconds: formatDuration }[unit](value)
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export const totalOf = (series: readonly ChartSeries[], index: number): number =>
  series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)

/** Returns the header and one row per period, oldest first, with plain numbers. */
export function csvRows({ periods, series, unit }: ChartValues): string[][] {
  const suffix = { count: '', bytes: ' (bytes)', seconds: ' (seconds)' }[unit]
  return [
    ['from', 'to', ...series.map(({ name }) => `${name}${suffix}`)],
    ...periods.map(({ from, to }, index) => [
      from,
      to,
      ...series.map(({ values }) => String(values[index] ?? '')),
    ]),
  ]
}
