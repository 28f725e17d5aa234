import type { ApplicationStatistics } from '@quayside/sdk'
import { formatBytes, formatCount, plural } from '../../ui/bytes.ts'
import classes from './insights-page.module.css'

/** The sums of the period: uploads, downloads, storage and the most downloaded version. */
export function StatisticsTotals({
  statistics: { days, uploads, downloads, versions, storage },
}: {
  statistics: ApplicationStatistics
}) {
  const top = versions.find(({ version }) => version !== null)
  const before = storage.by_stream.reduce((sum, { bytes }) => sum + (bytes[0] ?? 0), 0)
  return (
    <dl className={classes.totals} style={{ margin: 0 }}>
      <Total
        label="Uploads"
        value={formatCount(uploads.total)}
        detail={`${perWeek(uploads.total, days.length)} a week`}
      />
      <Total
        label="Downloads"
        value={formatCount(downloads.total)}
        detail={`${perWeek(downloads.total, days.length)} a week`}
      />
      <Total
        label="Stored now"
        value={formatBytes(storage.stored_bytes)}
        detail={changeText(storage.stored_bytes - before)}
      />
      <Total
        label="Most downloaded version"
        value={top?.version ?? '–'}
        detail={top === undefined ? 'No downloads' : plural(top.total, 'download')}
      />
    </dl>
  )
}

function Total({ label, value, detail }: { label: string; value: string; detail: string }) {
  return (
    <div className={classes.total}>
      <dt className={classes.totalLabel}>{label}</dt>
      <dd style={{ margin: 0 }}>
        <div className={classes.totalValue} title={value}>
          {value}
        </div>
        <div className={classes.totalDetail}>{detail}</div>
      </dd>
    </div>
  )
}

function perWeek(total: number, days: number): string {
  const average = (total / Math.max(days, 7)) * 7
  return average > 0 && average < 1 ? 'Less than 1' : `About ${formatCount(Math.round(average))}`
}

function changeText(bytes: number): string {
  if (bytes === 0) return 'Unchanged in this period'
  return `${bytes > 0 ? '+' : '−'}${formatBytes(Math.abs(bytes))} in this period`
}
