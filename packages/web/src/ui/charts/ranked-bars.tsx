import { formatCount } from '../format/bytes.ts'
import classes from './ranked-bars.module.css'

type Entry = { name: string; value: number; /** A color of CSS. */ color: string }

type Props = { label: string; entries: readonly Entry[]; format?: (value: number) => string }

/** Lists values with their share of the sum, each as a bar. */
export function RankedBars({ label, entries, format = formatCount }: Props) {
  const sum = entries.reduce((total, { value }) => total + value, 0)
  return (
    <ul className={classes.list} aria-label={label}>
      {entries.map(({ name, value, color }) => {
        const percent = sum === 0 ? 0 : (value / sum) * 100
        return (
          <li key={name}>
            <div className={classes.line}>
              <span className={classes.name} title={name}>
                {name}
              </span>
              <span className={classes.value}>{format(value)}</span>
              <span className={classes.share}>
                {percent > 0 && percent < 1 ? '< 1' : Math.round(percent)} %
              </span>
            </div>
            <div className={classes.track}>
              <div className={classes.bar} style={{ width: `${percent}%`, background: color }} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}
