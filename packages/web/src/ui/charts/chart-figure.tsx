import { ColorSwatch, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './chart-figure.module.css'
import { seriesCssColor } from './series-color.ts'

type Props = {
  /** What the chart shows, for screen readers. */
  label: string
  /** The series in the order of their colors, each with the value that screen readers get instead of the drawing. */
  series: readonly { name: string; value: string }[]
  /** The positions of the colors of the series; their own by default. */
  colors?: readonly number[]
  /** Whether the colors are named below the chart. */
  withLegend?: boolean
  /** Whether the legend contains the values. */
  withValues?: boolean
  children: ReactNode
}

/** Frames a chart with a legend, and with its values as a table for screen readers. */
export function ChartFigure({
  label,
  series,
  colors,
  withLegend = true,
  withValues = false,
  children,
}: Props) {
  return (
    <figure className={classes.figure} aria-label={label}>
      <div aria-hidden>{children}</div>
      {withLegend && (
        <ul className={classes.legend} aria-hidden>
          {series.map(({ name, value }, position) => (
            <li key={name}>
              <ColorSwatch size={8} color={seriesCssColor(colors?.[position] ?? position)} />
              {name}
              {withValues && <span className="tabular">{value}</span>}
            </li>
          ))}
        </ul>
      )}
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <tbody>
            {series.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}
