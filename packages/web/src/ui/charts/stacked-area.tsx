import { AreaChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { shortDay } from '../format/time.ts'
import { ChartFigure } from './chart-figure.tsx'
import { periodAxis } from './period-axis.ts'
import { seriesColor } from './series-color.ts'

type Props = {
  /** What the chart shows, for screen readers. */
  label: string
  /** ISO dates, oldest first. */
  days: readonly string[]
  /** One value per day each. */
  series: readonly { name: string; values: readonly number[] }[]
  format: (value: number) => string
  height: number
  /** Whether the legend contains the latest values. */
  withValues?: boolean
}

const tickStyle = { transform: 'translate(0, 10)', fontSize: 12, fill: 'currentColor' }

/** Draws values per day as stacked areas, with the latest values as a table for screen readers. */
export function StackedArea({ label, days, series, format, height, withValues = true }: Props) {
  const data = days.map((day, index) => ({
    day: shortDay(day),
    // Keys of the data are positions, because a name may contain dots, which the chart reads as paths.
    ...Object.fromEntries(series.map(({ values }, position) => [`s${position}`, values[index] ?? 0])),
  }))
  return (
    <ChartFigure
      label={label}
      series={series.map(({ name, values }) => ({ name, value: format(values.at(-1) ?? 0) }))}
      withValues={withValues}
    >
      <AreaChart
        h={height}
        data={data}
        areaChartProps={{ accessibilityLayer: false }}
        dataKey="day"
        type="stacked"
        curveType="monotone"
        withDots={false}
        gridAxis="none"
        strokeWidth={1.5}
        fillOpacity={0.55}
        valueFormatter={format}
        withYAxis={false}
        // Without a value axis, centered labels would begin left of the chart.
        xAxisProps={{ ...periodAxis, tick: { ...tickStyle, textAnchor: 'start' } }}
        series={series.map(({ name }, position) => ({
          name: `s${position}`,
          label: name,
          color: seriesColor(position),
        }))}
      />
    </ChartFigure>
  )
}
