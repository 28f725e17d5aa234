import { Skeleton } from '@mantine/core'
import type { ApplicationStatistics } from '@quayside/sdk'
import { lazy, Suspense, type ReactNode } from 'react'
import { insightsText } from '../../text/insights.ts'
import { formatBytes, formatCount } from '../../ui/bytes.ts'
import { RankedBars } from '../../ui/ranked-bars.tsx'
import { seriesCssColor } from '../../ui/series-color.ts'
import classes from './insights-page.module.css'
import { periodsOf } from './periods.ts'

const StackedArea = lazy(async () => ({ default: (await import('../../ui/stacked-area.tsx')).StackedArea }))
const StackedBars = lazy(async () => ({ default: (await import('../../ui/stacked-bars.tsx')).StackedBars }))

const chartHeight = 220
/** The height of the names of the colors below a chart, if they are on one line. */
const legendHeight = 26

/** Draws the uploads, downloads, versions and storage of an application. */
export function ApplicationCharts({
  statistics: { days, uploads, downloads, channels, storage, ...statistics },
}: {
  statistics: ApplicationStatistics
}) {
  const { unit, labels, sumsOf } = periodsOf(days)
  const byPlatform = ({ by_platform }: ApplicationStatistics['uploads']) =>
    by_platform.map(({ platform, counts }) => ({ name: platform.name, values: sumsOf(counts) }))
  const versions = statistics.versions.filter(({ total }) => total > 0)
  const versionNames = versions.map(({ version }) => version ?? insightsText.otherVersions)
  const bars = { periods: labels, format: formatCount, height: chartHeight }
  return (
    <div className={classes.charts}>
      <Chart
        title="Uploads"
        detail={`per ${unit}, by platform`}
        empty={uploads.total === 0 && insightsText.noUploads}
      >
        <StackedBars {...bars} label={`Uploads per ${unit} by platform`} series={byPlatform(uploads)} />
      </Chart>
      <Chart
        title="Downloads"
        detail={`per ${unit}, by platform`}
        empty={downloads.total === 0 && insightsText.noDownloads}
      >
        <StackedBars {...bars} label={`Downloads per ${unit} by platform`} series={byPlatform(downloads)} />
      </Chart>
      <Chart
        title="Version adoption"
        detail={`downloads per ${unit}, by version`}
        empty={versions.length === 0 && insightsText.noDownloads}
        isWide
      >
        <div className={classes.split}>
          <StackedBars
            {...bars}
            label={`Downloads per ${unit} by version`}
            withLegend={false}
            series={versions.map(({ counts }, index) => ({
              name: versionNames[index] ?? '',
              values: sumsOf(counts),
            }))}
          />
          <RankedBars
            label="Downloads by version"
            entries={versions.map(({ total }, index) => ({
              name: versionNames[index] ?? '',
              value: total,
              color: seriesCssColor(index),
            }))}
          />
        </div>
      </Chart>
      <Chart
        title="Storage"
        detail="at the end of each day, by stream"
        empty={storage.by_stream.length === 0 && insightsText.noStorage}
      >
        <StackedArea
          label="Storage by stream over time"
          days={days}
          format={formatBytes}
          height={chartHeight}
          series={storage.by_stream.map(({ stream, bytes }) => ({
            name: stream?.name ?? insightsText.deletedStreams,
            values: bytes,
          }))}
        />
      </Chart>
      <Chart title="Where downloads come from" empty={channels.length === 0 && insightsText.noDownloads}>
        <RankedBars
          label="Downloads by channel"
          entries={channels.map(({ channel, total }, index) => ({
            name: insightsText.channels[channel],
            value: total,
            color: seriesCssColor(index),
          }))}
        />
      </Chart>
    </div>
  )
}

type ChartProps = {
  title: string
  detail?: string
  /** The sentence to show instead of a chart without values. */
  empty: string | false
  isWide?: boolean
  children: ReactNode
}

function Chart({ title, detail, empty, isWide = false, children }: ChartProps) {
  return (
    <section className={isWide ? `${classes.chart} ${classes.wide}` : classes.chart}>
      <div className={classes.chartHead}>
        <h2 className={classes.chartTitle}>{title}</h2>
        {detail !== undefined && <span className={classes.soft}>{detail}</span>}
      </div>
      {empty === false ? (
        <Suspense fallback={<Skeleton height={isWide ? chartHeight : chartHeight + legendHeight} />}>
          {children}
        </Suspense>
      ) : (
        <p className={classes.nothing}>{empty}</p>
      )}
    </section>
  )
}
