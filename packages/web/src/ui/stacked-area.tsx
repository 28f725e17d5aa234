import { AreaChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { ColorSwatch, VisuallyHidden } from '@mantine/core'
import classes from './stacked-area.module.css'

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

const colors = ['quay.6', 'teal.6', 'yellow.6', 'grape.5', 'orange.6', 'gray.5', 'cyan.6', 'pink.5', 'lime.6']
const colorAt = (position: number): string => colors[position % colors.length] ?? 'gray.5'
const dayFormat = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** Draws values per day as stacked areas, with the latest values as a table for screen readers. */
export function StackedArea({ label, days, series, format, height }: Props) {
  const data = days.map((day, index) => ({
    day: dayFormat.format(new Date(day)),
    // Keys of the data are positions, because a name may contain dots, which the chart reads as paths.
    ...Object.fromEntries(series.map(({ values }, position) => [`s${position}`, values[index] ?? 0])),
  }))
  return (
    <figure className={classes.figure} aria-label={label}>
      <AreaChart
        h={height}
        data={data}
        dataKey="day"
        type="stacked"
        curveType="monotone"
        withDots={false}
        gridAxis="none"
        strokeWidth={1.5}
        fillOpacity={0.55}
        valueFormatter={format}
        withYAxis={false}
        xAxisProps={{ tickMargin: 8, interval: 'preserveStartEnd', minTickGap: 40 }}
        series={series.map(({ name }, position) => ({
          name: `s${position}`,
          label: name,
          color: colorAt(position),
        }))}
      />
      <ul className={classes.legend} aria-hidden>
        {series.map(({ name }, position) => (
          <li key={name}>
            <ColorSwatch size={8} color={`var(--mantine-color-${colorAt(position).replace('.', '-')})`} />
            {name}
          </li>
        ))}
      </ul>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <tbody>
            {series.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{format(values.at(-1) ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}
