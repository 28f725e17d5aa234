import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { ChartFigure } from './chart-figure.tsx'
import { seriesColor } from './series-color.ts'

type Props = {
  /** What the chart shows, for screen readers. */
  label: string
  /** The labels of the bars, oldest first. */
  periods: readonly string[]
  /** One value per period each. */
  series: readonly { name: string; values: readonly number[] }[]
  format: (value: number) => string
  height: number
  /** Whether the colors are named below the chart. */
  withLegend?: boolean
}

/** Draws values per period as stacked bars, with their sums as a table for screen readers. */
export function StackedBars({ label, periods, series, format, height, withLegend = true }: Props) {
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
        yAxisProps={{ width: 36, allowDecimals: false }}
        xAxisProps={{ tickMargin: 8, interval: 'preserveStartEnd', minTickGap: 40 }}
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
