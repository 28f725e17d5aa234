import { ColorSwatch } from '@mantine/core'
import { seriesCssColor } from './series-color.ts'
import classes from './series-legend.module.css'

/** Names the series of a chart beside their colors. */
export function SeriesLegend({ names }: { names: readonly string[] }) {
  return (
    <ul className={classes.legend} aria-hidden>
      {names.map((name, position) => (
        <li key={name}>
          <ColorSwatch size={8} color={seriesCssColor(position)} />
          {name}
        </li>
      ))}
    </ul>
  )
}
