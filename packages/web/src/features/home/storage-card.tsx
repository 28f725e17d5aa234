import type { WorkspaceStatistics } from '@quayside/sdk'
import { formatBytes } from '../../ui/bytes.ts'
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
      <StorageChart
        label="Storage by application over time"
        days={days}
        series={series}
        format={formatBytes}
        height={chartHeight}
      />
    </section>
  )
}
