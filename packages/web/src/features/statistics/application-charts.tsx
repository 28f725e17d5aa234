import { Skeleton } from '@mantine/core'
import type { ApplicationStatistics } from '@quayside/sdk'
import { Suspense, type ReactNode } from 'react'
import { insightsText } from '../../text/insights.ts'
import { isShortHistory } from '../../ui/charts/chart-history.ts'
import { RankedBars } from '../../ui/charts/ranked-bars.tsx'
import { seriesCssColor } from '../../ui/charts/series-color.ts'
import { formatBytes, formatCount } from '../../ui/format/bytes.ts'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import classes from './insights-page.module.css'
import { periodsOf } from './periods.ts'

const StackedArea = lazyPart(async () => (await import('../../ui/charts/stacked-area.tsx')).StackedArea)
const StackedBars = lazyPart(async () => (await import('../../ui/charts/stacked-bars.tsx')).StackedBars)

const chartHeight = 220
/** The height of the names of the colors below a chart, if they are on one line. */
const legendHeight = 26

/** Draws the uploads, downloads, versions and storage of an application. */
export function ApplicationCharts({
  statistics: { days, uploads, upload_bytes: uploadBytes, downloads, channels, storage, ...statistics },
}: {
  statistics: ApplicationStatistics
}) {
  const versions = statistics.versions.filter(({ total }) => total > 0)
  const byPlatform = ({ by_platform }: ApplicationStatistics['uploads']) =>
    by_platform.map(({ platform, counts }) => ({ name: platform.name, values: counts }))
  return (
    <div className={classes.charts}>
      <CountChart
        title="Uploads"
        by="platform"
        series={byPlatform(uploads)}
        empty={insightsText.noUploads}
        days={days}
      />
      <CountChart
        title="Downloads"
        by="platform"
        series={byPlatform(downloads)}
        empty={insightsText.noDownloads}
        days={days}
      />
      {versions.length > 0 && <VersionChart versions={versions} days={days} />}
      <StorageChart storage={storage} days={days} />
      {uploadBytes.reused.total > 0 && <UploadBytesChart bytes={uploadBytes} days={days} />}
      {channels.length > 0 && <ChannelChart channels={channels} />}
    </div>
  )
}

type VersionProps = { versions: ApplicationStatistics['versions']; days: readonly string[] }

function VersionChart({ versions, days }: VersionProps) {
  const { unit, labels, sumsOf } = periodsOf(days)
  const versionNames = versions.map(({ version }) => version ?? insightsText.otherVersions)
  const hasShortAdoption = isShortHistory(versions.map(({ counts }) => ({ values: counts })))
  return (
    <Chart title="Version adoption" detail={`downloads per ${unit}, by version`} isWide>
      <div className={hasShortAdoption ? undefined : classes.split}>
        {!hasShortAdoption && (
          <StackedBars
            periods={labels}
            height={chartHeight}
            label={`Downloads per ${unit} by version`}
            withLegend={false}
            series={versions.map(({ counts }, index) => ({
              name: versionNames[index] ?? '',
              values: sumsOf(counts),
            }))}
          />
        )}
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
  )
}

type StorageProps = { storage: ApplicationStatistics['storage']; days: readonly string[] }

function StorageChart({ storage, days }: StorageProps) {
  const stored = storage.by_stream.map(({ stream, bytes }) => ({
    name: stream?.name ?? insightsText.deletedStreams,
    values: bytes,
  }))
  return (
    <Chart
      title="Storage"
      detail={`build files ${isShortHistory(stored) ? 'now' : 'at the end of each day'}, by stream`}
      empty={stored.length === 0 && insightsText.noStorage}
    >
      {isShortHistory(stored) ? (
        <ShortHistory label="Storage by stream" series={stored} valueOf={latest} format={formatBytes} />
      ) : (
        <StackedArea
          label="Storage by stream over time"
          days={days}
          format={formatBytes}
          height={chartHeight}
          series={stored}
        />
      )}
    </Chart>
  )
}

type UploadBytesProps = { bytes: ApplicationStatistics['upload_bytes']; days: readonly string[] }

/** Draws how many bytes of the uploads were sent, and how many were taken from earlier builds. */
function UploadBytesChart({ bytes: { sent, reused }, days }: UploadBytesProps) {
  return (
    <CountChart
      title={insightsText.uploadBytes.title}
      by={insightsText.uploadBytes.by}
      series={[
        { name: insightsText.uploadBytes.sent, values: sent.counts },
        { name: insightsText.uploadBytes.reused, values: reused.counts },
      ]}
      days={days}
      unit="bytes"
    />
  )
}

function ChannelChart({ channels }: Pick<ApplicationStatistics, 'channels'>) {
  return (
    <Chart title="Where downloads come from">
      <RankedBars
        label="Downloads by channel"
        entries={channels.map(({ channel, total }, index) => ({
          name: insightsText.channels[channel],
          value: total,
          color: seriesCssColor(index),
        }))}
      />
    </Chart>
  )
}

type Series = { name: string; values: readonly number[] }

const latest = (values: readonly number[]): number => values.at(-1) ?? 0
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

type CountProps = {
  title: string
  /** What the series are. */
  by: string
  series: readonly Series[]
  empty?: string
  days: readonly string[]
  unit?: 'bytes'
}

/** Draws how often something happened, or how many bytes there were, per day or week. */
function CountChart({ title, by, series, empty, days, unit: valueUnit }: CountProps) {
  const { unit, labels, sumsOf } = periodsOf(days)
  const isShort = isShortHistory(series)
  const label = `${title} per ${unit} by ${by}`
  return (
    <Chart
      title={title}
      detail={isShort ? `by ${by}` : `per ${unit}, by ${by}`}
      empty={series.every(({ values }) => sum(values) === 0) && empty}
    >
      {isShort ? (
        <ShortHistory
          label={`${title} by ${by}`}
          series={series}
          valueOf={sum}
          format={valueUnit === 'bytes' ? formatBytes : formatCount}
        />
      ) : (
        <StackedBars
          label={label}
          periods={labels}
          unit={valueUnit}
          height={chartHeight}
          series={series.map(({ name, values }) => ({ name, values: sumsOf(values) }))}
        />
      )}
    </Chart>
  )
}

type ShortProps = {
  label: string
  series: readonly Series[]
  valueOf: (values: readonly number[]) => number
  format: (value: number) => string
}

/** Takes the place of a chart over time until there is enough to draw. */
function ShortHistory({ label, series, valueOf, format }: ShortProps) {
  return (
    <>
      <RankedBars
        label={label}
        format={format}
        entries={series.map(({ name, values }, index) => ({
          name,
          value: valueOf(values),
          color: seriesCssColor(index),
        }))}
      />
      <p className={classes.later}>{insightsText.later}</p>
    </>
  )
}

type ChartProps = {
  title: string
  detail?: string
  /** The sentence to show instead of a chart without values. */
  empty?: string | false
  isWide?: boolean
  children: ReactNode
}

function Chart({ title, detail, empty = false, isWide = false, children }: ChartProps) {
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
