import type { ApplicationStatistics } from '@quayside/sdk'
import { insightsText } from '../../text/insights.ts'
import type { ChartValues } from '../../ui/charts/chart-values.ts'
import { formatBytes } from '../../ui/format/bytes.ts'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import chartClasses from './insight-chart.module.css'
import { chartHeight, InsightChart } from './insight-chart.tsx'
import { labeledPeriod } from './periods.ts'

const TrendLines = lazyPart(async () => (await import('../../ui/charts/trend-lines.tsx')).TrendLines)

const texts = insightsText.forecast
const lines = ['solid', 'dashed', 'dotted', 'dotted'] as const
/** Both ends of the range are gray. */
const colors = [0, 1, 5, 5]

type Props = { statistics: ApplicationStatistics }

/** Draws how much the application stores and will store, and its likely range. */
export function StorageForecast({ statistics }: Props) {
  const values = valuesOf(statistics)
  const { forecast } = statistics.storage
  return (
    <InsightChart
      id="forecast"
      title={texts.title}
      values={values}
      empty={texts.empty}
      unit="day"
      footer={forecast !== null && <p className={chartClasses.footer}>{summaryOf(forecast)}</p>}
    >
      <TrendLines label={texts.title} values={values} height={chartHeight} lines={lines} colors={colors} />
    </InsightChart>
  )
}

function valuesOf({ days, storage: { by_stream, forecast } }: ApplicationStatistics): ChartValues {
  if (forecast === null) return { periods: [], series: [], unit: 'bytes' }
  const stored = days.map((_, index) => by_stream.reduce((sum, { bytes }) => sum + (bytes[index] ?? 0), 0))
  const unknown = forecast.days.map(() => null)
  const earlier = days.slice(1).map(() => null)
  // The forecast begins at the value of today, so that its line continues the other one.
  const today = stored.at(-1) ?? 0
  const later = (bytes: readonly number[]) => [...earlier, today, ...bytes]
  return {
    periods: [...days, ...forecast.days].map((day) => labeledPeriod({ from: day, to: day })),
    series: [
      { name: texts.stored, values: [...stored, ...unknown] },
      { name: texts.expected, values: later(forecast.bytes) },
      { name: texts.low, values: later(forecast.low_bytes) },
      { name: texts.high, values: later(forecast.high_bytes) },
    ],
    unit: 'bytes',
  }
}

function summaryOf({
  recorded_days,
  bytes_per_day: change,
  days,
  ...range
}: NonNullable<ApplicationStatistics['storage']['forecast']>): string {
  const [expected, low, high] = [range.bytes, range.low_bytes, range.high_bytes].map((bytes) =>
    formatBytes(bytes.at(-1) ?? 0),
  )
  const changeText = `${change < 0 ? '−' : '+'}${formatBytes(Math.abs(change))}`
  return `${texts.summary(days.length, expected ?? '', low ?? '', high ?? '')} ${texts.basis(recorded_days, changeText)}`
}
