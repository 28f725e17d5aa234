import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { ChartFigure } from './chart-figure.tsx'
import { formatValue, type ChartValues } from './chart-values.ts'
import { periodAxis } from './period-axis.ts'
import { seriesColor } from './series-color.ts'
import { byteAxis, durationAxis } from './value-axis.ts'

type Line = 'solid' | 'dashed' | 'dotted'

type Props = {
  /** What the chart shows, for screen readers. */
  label: string
  values: ChartValues
  height: number
  /** How each series is drawn; solid by default. */
  lines?: readonly Line[]
  /** The positions of the colors of the series; their own by default. */
  colors?: readonly number[]
}

const dashes = { solid: undefined, dashed: '6 4', dotted: '2 4' } as const

/** Draws values per period as lines, with their latest values as a table for screen readers. */
export function TrendLines({ label, values: { periods, series, unit }, height, lines, colors }: Props) {
  const format = (value: number) => formatValue(value, unit)
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const colorAt = (position: number) => colors?.[position] ?? position
  const max = Math.max(0, ...all)
  const axis = unit === 'bytes' ? byteAxis(max) : unit === 'seconds' ? durationAxis(max) : undefined
  const yAxis =
    axis === undefined ? { width: 36, allowDecimals: false, tickFormatter: format } : { width: 56, ...axis }
  const data = periods.map(({ label: period }, index) => ({
    period,
    // Keys of the data are positions, because a name may contain dots, which the chart reads as paths.
    ...Object.fromEntries(series.map(({ values }, position) => [`s${position}`, values[index] ?? null])),
  }))
  return (
    <ChartFigure
      label={label}
      colors={series.map((_, position) => colorAt(position))}
      series={series.map(({ name, values }) => ({
        name,
        value: formatValue(values.findLast((value) => value !== null) ?? null, unit),
      }))}
    >
      <LineChart
        h={height}
        data={data}
        lineChartProps={{ accessibilityLayer: false }}
        dataKey="period"
        curveType="linear"
        connectNulls
        // A single value between periods without one would not be visible as a line.
        withDots={periods.length <= 31 && lines === undefined}
        dotProps={{ r: 2.5, strokeWidth: 0 }}
        activeDotProps={{ r: 4, strokeWidth: 0 }}
        gridAxis="x"
        tickLine="none"
        strokeWidth={1.75}
        valueFormatter={format}
        yAxisProps={yAxis}
        xAxisProps={periodAxis}
        lineProps={{ isAnimationActive: false }}
        series={series.map(({ name }, position) => {
          const dash = dashes[lines?.[position] ?? 'solid']
          return {
            name: `s${position}`,
            label: name,
            color: seriesColor(colorAt(position)),
            ...(dash === undefined ? {} : { strokeDasharray: dash }),
          }
        })}
      />
    </ChartFigure>
  )
}
