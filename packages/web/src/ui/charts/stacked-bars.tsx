import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { formatBytes, formatCount } from '../format/bytes.ts'
import { ChartFigure } from './chart-figure.tsx'
import { periodAxis } from './period-axis.ts'
import { seriesColor } from './series-color.ts'
import { byteAxis } from './value-axis.ts'

type Props = {
  /** What the chart shows, for screen readers. */
  label: string
  /** The labels of the bars, oldest first. */
  periods: readonly string[]
  /** One value per period each. */
  series: readonly { name: string; values: readonly number[] }[]
  /** What the values are; numbers by default. */
  unit?: 'bytes' | undefined
  height: number
  /** Whether the colors are named below the chart. */
  withLegend?: boolean
}

/** Returns the width of an axis up to `max`, whose last tick may have one digit more. */
const countWidth = (max: number): number => Math.max(36, 22 + 7 * formatCount(max).length)

/** Draws values per period as stacked bars, with their sums as a table for screen readers. */
export function StackedBars({ label, periods, series, unit, height, withLegend = true }: Props) {
  const format = unit === 'bytes' ? formatBytes : formatCount
  const sums = periods.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const data = periods.map((period, index) => ({
    period,
    // Keys of the data are positions, because a name may contain dots, which the chart reads as paths.
    ...Object.fromEntries(series.map(({ values }, position) => [`s${position}`, values[index] ?? 0])),
  }))
  return (
    <ChartFigure
      label={label}
      withLegend={withLegend}
      series={series.map(({ name, values }) => ({
        name,
        value: format(values.reduce((sum, value) => sum + value, 0)),
      }))}
    >
      <BarChart
        h={height}
        data={data}
        barChartProps={{ accessibilityLayer: false }}
        dataKey="period"
        type="stacked"
        gridAxis="x"
        tickLine="none"
        valueFormatter={format}
        maxBarWidth={28}
        yAxisProps={
          unit === 'bytes'
            ? { width: 56, ...byteAxis(Math.max(...sums)) }
            : { width: countWidth(Math.max(...sums)), allowDecimals: false, tickFormatter: formatCount }
        }
        xAxisProps={periodAxis}
        tooltipProps={{ cursor: { fill: 'var(--q-hover)' } }}
        barProps={{ isAnimationActive: false }}
        series={series.map(({ name }, position) => ({
          name: `s${position}`,
          label: name,
          color: seriesColor(position),
        }))}
      />
    </ChartFigure>
  )
}
