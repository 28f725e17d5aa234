import type { ApplicationStatistics, SingleApplication } from '@quayside/sdk'
import { useSession } from '../../api/session.ts'
import { insightsText } from '../../text/insights.ts'
import type { ChartSeries, ChartUnit } from '../../ui/charts/chart-values.ts'
import { RankedBars } from '../../ui/charts/ranked-bars.tsx'
import { seriesCssColor } from '../../ui/charts/series-color.ts'
import { formatBytes } from '../../ui/format/bytes.ts'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { BuildCharts } from './build-charts.tsx'
import { chartHeight, InsightChart } from './insight-chart.tsx'
import classes from './insights-page.module.css'
import { periodsOf, type Periods } from './periods.ts'
import { RetentionSavings } from './retention-savings.tsx'
import { StorageForecast } from './storage-forecast.tsx'
import { useInsightsSearch } from './use-insights-search.ts'
import { VersionChart } from './version-chart.tsx'

const StackedArea = lazyPart(async () => (await import('../../ui/charts/stacked-area.tsx')).StackedArea)
const StackedBars = lazyPart(async () => (await import('../../ui/charts/stacked-bars.tsx')).StackedBars)

type Props = { statistics: ApplicationStatistics; application: Pick<SingleApplication, 'id'> }

/** Draws the builds, downloads, versions and storage of an application. */
export function ApplicationCharts({ statistics, application: { id } }: Props) {
  const { days, uploads, downloads, upload_bytes: bytes } = statistics
  const { group } = useInsightsSearch()
  const canReadStreams = useSession().can('application:read', id)
  const periods = periodsOf(days, group)
  const byPlatform = ({ by_platform }: ApplicationStatistics['uploads']): ChartSeries[] =>
    by_platform.map(({ platform, counts }) => ({ name: platform.name, values: periods.sumsOf(counts) }))
  return (
    <div className={classes.charts}>
      <SumChart
        id="uploads"
        texts={insightsText.uploads}
        by="platform"
        series={byPlatform(uploads)}
        {...{ periods }}
      />
      {bytes.reused.total > 0 && (
        <SumChart
          id="uploaded-bytes"
          texts={insightsText.uploadBytes}
          by="origin"
          valueUnit="bytes"
          periods={periods}
          series={[
            { name: insightsText.uploadBytes.sent, values: periods.sumsOf(bytes.sent.counts) },
            { name: insightsText.uploadBytes.reused, values: periods.sumsOf(bytes.reused.counts) },
          ]}
        />
      )}
      <BuildCharts applicationId={id} days={days.length} unit={periods.unit} />
      <SumChart
        id="downloads"
        texts={insightsText.downloads}
        by="platform"
        series={byPlatform(downloads)}
        periods={periods}
      />
      <SourceChart channels={statistics.channels} periods={periods} />
      <StorageChart storage={statistics.storage} periods={periods} />
      <VersionChart applicationId={id} statistics={statistics} unit={periods.unit} />
      <StorageForecast statistics={statistics} />
      {canReadStreams && <RetentionSavings applicationId={id} storage={statistics.storage} />}
    </div>
  )
}

type SumProps = {
  id: string
  texts: { title: string; empty: string }
  /** What the series are. */
  by: string
  series: readonly ChartSeries[]
  periods: Periods
  valueUnit?: ChartUnit
}

/** Draws how often something happened, or how many bytes there were, per day or week. */
function SumChart({ id, texts: { title, empty }, by, series, periods, valueUnit = 'count' }: SumProps) {
  return (
    <InsightChart
      id={id}
      title={title}
      detail={insightsText.by(periods.unit, by)}
      values={{ periods: periods.periods, series, unit: valueUnit, hasTotal: true }}
      empty={empty}
      unit={periods.unit}
    >
      <StackedBars
        label={`${title} ${insightsText.by(periods.unit, by)}`}
        periods={periods.labels}
        unit={valueUnit === 'bytes' ? 'bytes' : undefined}
        height={chartHeight}
        series={series.map(({ name, values }) => ({ name, values: values.map((value) => value ?? 0) }))}
      />
    </InsightChart>
  )
}

type SourceProps = { channels: ApplicationStatistics['channels']; periods: Periods }

function SourceChart({ channels, periods }: SourceProps) {
  const { title, empty } = insightsText.sources
  return (
    <InsightChart
      id="sources"
      title={title}
      values={{
        periods: periods.periods,
        series: channels.map(({ channel, counts }) => ({
          name: insightsText.channels[channel],
          values: periods.sumsOf(counts),
        })),
        unit: 'count',
        hasTotal: true,
      }}
      empty={empty}
      unit={periods.unit}
    >
      <RankedBars
        label={title}
        entries={channels.map(({ channel, total }, index) => ({
          name: insightsText.channels[channel],
          value: total,
          color: seriesCssColor(index),
        }))}
      />
    </InsightChart>
  )
}

type StorageProps = { storage: ApplicationStatistics['storage']; periods: Periods }

function StorageChart({ storage, periods }: StorageProps) {
  const { title, detail, empty } = insightsText.storage
  const series = storage.by_stream.map(({ stream, bytes }) => ({
    name: stream?.name ?? insightsText.deletedStreams,
    values: periods.lastOf(bytes),
  }))
  return (
    <InsightChart
      id="storage"
      title={title}
      detail={detail(periods.unit)}
      values={{ periods: periods.periods, series, unit: 'bytes', hasTotal: true }}
      empty={empty}
      unit={periods.unit}
    >
      <StackedArea
        label={`${title}, ${detail(periods.unit)}`}
        days={periods.periods.map(({ to }) => to)}
        format={formatBytes}
        height={chartHeight}
        series={series}
      />
    </InsightChart>
  )
}
