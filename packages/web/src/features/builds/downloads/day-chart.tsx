import type { Download } from '@quayside/sdk'
import { plural } from '../../../ui/format/bytes.ts'
import { useNow } from '../../../ui/format/now.ts'
import { calendarDay } from '../../../ui/format/time.ts'
import { Hint } from '../../../ui/hint.tsx'
import { downloadsPerDay } from './downloads-per-day.ts'
import classes from './downloads.module.css'

const shownDays = 30

/** Draws the downloads of each of the last 30 days. */
export function DayChart({ downloads }: { downloads: readonly Download[] }) {
  const days = downloadsPerDay(downloads, shownDays, useNow())
  const max = Math.max(1, ...days.map(({ count }) => count))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return (
    <figure className={classes.chart} style={{ marginInline: 0 }}>
      <div
        className={classes.bars}
        role="img"
        aria-label={`${plural(total, 'download')} in the last ${shownDays} days, at most ${max} a day`}
      >
        {days.map(({ day, count }) => (
          <Hint
            key={day.getTime()}
            openDelay={0}
            label={`${calendarDay(day.toISOString())}: ${plural(count, 'download')}`}
          >
            <div className={classes.bar}>
              <span style={{ height: `${(count / max) * 100}%`, minHeight: count > 0 ? 3 : 0 }} />
            </div>
          </Hint>
        ))}
      </div>
      <figcaption className={classes.axis}>
        <span>{shownDays} days ago</span>
        <span>{plural(total, 'download')} in 30 days</span>
        <span>today</span>
      </figcaption>
    </figure>
  )
}
