import { ChartFigure } from '../../ui/charts/chart-figure.tsx'
import { seriesCssColor } from '../../ui/charts/series-color.ts'
import { shortDay } from '../../ui/format/time.ts'
import classes from './storage-chart.module.css'

type Props = {
  /** What the chart shows, for screen readers. */
  label: string
  /** ISO dates, oldest first. */
  days: readonly string[]
  /** One value per day each. */
  series: readonly { name: string; values: readonly number[] }[]
  format: (value: number) => string
  height: number
}

const width = 1000
const top = 100

/**
 * Draws values per day as stacked areas. Unlike the charts of other pages it uses no library, because Home is the first
 * page that people load, and the library is as large as the rest of it.
 */
export function StorageChart({ label, days, series, format, height }: Props) {
  const layers = stack(series.map(({ values }) => days.map((_, day) => values[day] ?? 0)))
  const max = Math.max(1, ...(layers.at(-1)?.upper ?? []))
  const pointsOf = (values: readonly number[]) =>
    values.map((value, day) => {
      const x = (day / Math.max(1, days.length - 1)) * width
      return `${x.toFixed(1)},${(top - (value / max) * top).toFixed(2)}`
    })
  const marks = [days[0], days[Math.floor(days.length / 2)], days.at(-1)].filter((day) => day !== undefined)
  return (
    <ChartFigure
      label={label}
      series={series.map(({ name, values }) => ({ name, value: format(values.at(-1) ?? 0) }))}
    >
      <svg
        className={classes.areas}
        viewBox={`0 0 ${width} ${top}`}
        preserveAspectRatio="none"
        height={height}
        aria-hidden
      >
        {layers.map(({ lower, upper }, position) => (
          <g key={position} style={{ color: seriesCssColor(position) }}>
            <polygon points={[...pointsOf(upper), ...pointsOf(lower).toReversed()].join(' ')} />
            <polyline points={pointsOf(upper).join(' ')} />
          </g>
        ))}
      </svg>
      <div className={classes.days} aria-hidden>
        {marks.map((day, position) => (
          <span key={position}>{shortDay(day)}</span>
        ))}
      </div>
    </ChartFigure>
  )
}

/** Returns the lower and upper bounds of each series above the series before it. */
function stack(series: readonly (readonly number[])[]): { lower: number[]; upper: number[] }[] {
  let reached = series[0]?.map(() => 0) ?? []
  return series.map((values) => {
    const lower = reached
    reached = lower.map((value, day) => value + (values[day] ?? 0))
    return { lower, upper: reached }
  })
}
