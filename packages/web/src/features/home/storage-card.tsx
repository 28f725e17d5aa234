import type { WorkspaceStatistics } from '@quayside/sdk'
import { isShortHistory } from '../../ui/charts/chart-history.ts'
import { RankedBars } from '../../ui/charts/ranked-bars.tsx'
import { seriesCssColor } from '../../ui/charts/series-color.ts'
import { formatBytes } from '../../ui/format/bytes.ts'
import panel from './home-page.module.css'
import { StorageChart } from './storage-chart.tsx'

const shownSeries = 5
const chartHeight = 160

/** Draws how much each application stores over time. Small applications are combined. */
export function StorageCard({
  statistics: { days, applications, totals },
}: {
  statistics: WorkspaceStatistics
}) {
  if (totals.stored_bytes === 0) return null
  const largest = applications.toSorted((a, b) => b.stored_bytes - a.stored_bytes).slice(0, shownSeries)
  const rest = totals.storage.map(
    (total, day) => total - largest.reduce((sum, { storage }) => sum + (storage[day] ?? 0), 0),
  )
  const series = [
    ...largest
      .filter(({ stored_bytes: bytes }) => bytes > 0)
      .map(({ name, storage }) => ({ name, values: storage })),
    ...(rest.some((bytes) => bytes > 0) ? [{ name: 'Other', values: rest }] : []),
  ]
  return (
    <section className={panel.panel}>
      <h2 className={panel.panelTitle}>Storage · {formatBytes(totals.stored_bytes)}</h2>
      {isShortHistory(series) ? (
        <RankedBars
          label="Storage by application"
          format={formatBytes}
          entries={series.map(({ name, values }, index) => ({
            name,
            value: values.at(-1) ?? 0,
            color: seriesCssColor(index),
          }))}
        />
      ) : (
        <StorageChart
          label="Storage by application over time"
          days={days}
          series={series}
          format={formatBytes}
          height={chartHeight}
        />
      )}
    </section>
  )
}
