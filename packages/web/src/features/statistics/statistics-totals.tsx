import type { ApplicationStatistics, SingleApplication } from '@quayside/sdk'
import { storageText } from '../../text/builds/build.ts'
import { formatBytes, formatCount, plural } from '../../ui/format/bytes.ts'
import { Hint } from '../../ui/hint.tsx'
import classes from './insights-page.module.css'
import { labeledPeriod } from './periods.ts'

/** The sums of the period: uploads, downloads, storage and the most downloaded version. */
export function StatisticsTotals({
  statistics: { days, uploads, downloads, versions, storage },
  application,
}: {
  statistics: ApplicationStatistics
  application: Pick<SingleApplication, 'storage_usage' | 'physical_bytes'>
}) {
  const top = versions.find(({ version }) => version !== null)
  const before = storage.by_stream.reduce((sum, { bytes }) => sum + (bytes[0] ?? 0), 0)
  return (
    <dl className={classes.totals} style={{ margin: 0 }}>
      <Total label="Uploads" value={formatCount(uploads.total)} detail={rateText(uploads, days.length)} />
      <Total
        label="Downloads"
        value={formatCount(downloads.total)}
        detail={rateText(downloads, days.length)}
      />
      <Total
        label="Stored now"
        value={formatBytes(application.storage_usage.total_bytes)}
        hint={storageText.help(application)}
        detail={storageText.storedAs(application) ?? changeText(storage.stored_bytes - before, days)}
      />
      <Total
        label="Most downloaded version"
        value={top?.version ?? '–'}
        detail={top === undefined ? 'No downloads' : plural(top.total, 'download')}
      />
    </dl>
  )
}

type TotalProps = { label: string; value: string; detail: string; hint?: string }

/** A figure with its name and a sentence about it. */
export function Total({ label, value, detail, hint }: TotalProps) {
  return (
    <div className={classes.total}>
      <dt className={classes.totalLabel}>{label}</dt>
      <dd style={{ margin: 0 }}>
        <div className={classes.totalValue} title={hint === undefined ? value : undefined}>
          {hint === undefined ? (
            value
          ) : (
            <Hint label={hint} multiline w={260}>
              <span>{value}</span>
            </Hint>
          )}
        </div>
        <div className={classes.totalDetail}>{detail}</div>
      </dd>
    </div>
  )
}

/** Returns how often something happened per week since it happened first. */
function rateText({ total, by_platform }: ApplicationStatistics['uploads'], dayCount: number): string {
  const firstDays = by_platform.map(({ counts }) => counts.findIndex((count) => count > 0))
  const first = Math.min(dayCount, ...firstDays.filter((day) => day >= 0))
  if (total === 0) return 'None in this period'
  const days = dayCount - first
  if (days < 7) return days === 1 ? 'Today' : `In the last ${days} days`
  const average = (total / days) * 7
  return average < 1 ? 'Less than 1 a week' : `About ${formatCount(Math.round(average))} a week`
}

/** Returns the change since the end of the first day, before which the stored bytes are not known. */
function changeText(bytes: number, [from = '']: readonly string[]): string {
  const { label: since } = labeledPeriod({ from, to: from })
  if (bytes === 0) return `Unchanged since ${since}`
  return `${bytes > 0 ? '+' : '−'}${formatBytes(Math.abs(bytes))} since ${since}`
}
