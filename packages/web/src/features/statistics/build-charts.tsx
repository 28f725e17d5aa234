import type { BuildStatistics } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { insightsText } from '../../text/insights.ts'
import { sum, type ChartPeriod, type ChartSeries, type ChartUnit } from '../../ui/charts/chart-values.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import classes from './insight-chart.module.css'
import { chartHeight, InsightChart } from './insight-chart.tsx'
import { labeledPeriod, type PeriodUnit } from './periods.ts'
import { buildStatisticsQuery } from './statistics.queries.ts'

const StackedBars = lazyPart(async () => (await import('../../ui/charts/stacked-bars.tsx')).StackedBars)
const TrendLines = lazyPart(async () => (await import('../../ui/charts/trend-lines.tsx')).TrendLines)

type Props = { applicationId: string; days: number; unit: PeriodUnit }

/** Draws how large builds are, how many cannot be read, and how long people wait for them. */
export function BuildCharts({ applicationId, days, unit }: Props) {
  const { data, error, refetch } = useQuery({
    ...buildStatisticsQuery(applicationId, days, unit),
    placeholderData: keepPreviousData,
  })
  if (error !== null)
    return (
      <div data-wide className={classes.chart}>
        <FailureBanner error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (data === undefined) return null
  const periods = data.periods.map(labeledPeriod)
  return (
    <>
      <SizeChart statistics={data} periods={periods} />
      <FailureChart statistics={data} periods={periods} />
      <FirstDownloadChart statistics={data} periods={periods} />
      {data.build_durations.builds.some((builds) => builds > 0) && (
        <DurationChart statistics={data} periods={periods} />
      )}
    </>
  )
}

type PartProps = { statistics: BuildStatistics; periods: readonly ChartPeriod[] }

function SizeChart({ statistics, periods }: PartProps) {
  const { interval, sizes } = statistics
  const { title, detail, empty } = insightsText.sizes
  return (
    <LineChart
      id="sizes"
      title={title}
      detail={detail(interval)}
      empty={empty}
      valueUnit="bytes"
      series={sizes.map(({ platform, median_bytes }) => ({ name: platform.name, values: median_bytes }))}
      footer={sampleNote(statistics)}
      {...{ periods, interval }}
    />
  )
}

function FailureChart({ statistics: { interval, failures, uploads }, periods }: PartProps) {
  const { title, series: name, empty } = insightsText.failures
  return (
    <InsightChart
      id="failures"
      title={title}
      detail={insightsText.per(interval)}
      values={{ periods, series: [{ name, values: failures }], unit: 'count', recorded: uploads }}
      empty={empty}
      unit={interval}
    >
      <StackedBars
        label={`${title} ${insightsText.per(interval)}`}
        periods={periods.map(({ label }) => label)}
        height={chartHeight}
        series={[{ name, values: failures }]}
      />
    </InsightChart>
  )
}

function FirstDownloadChart({ statistics, periods }: PartProps) {
  const { interval, first_downloads: found, sample } = statistics
  const { title, detail, empty, footer } = insightsText.firstDownloads
  const downloaded = sum(found.builds)
  return (
    <LineChart
      id="first-downloads"
      title={title}
      detail={detail(interval)}
      empty={empty}
      valueUnit="seconds"
      series={percentileSeries(found)}
      footer={downloaded > 0 && footer(downloaded, sum(sample.builds))}
      {...{ periods, interval }}
    />
  )
}

function DurationChart({ statistics: { interval, build_durations: found }, periods }: PartProps) {
  const { title, empty } = insightsText.buildDurations
  return (
    <LineChart
      id="build-durations"
      title={title}
      detail={insightsText.per(interval)}
      empty={empty}
      valueUnit="seconds"
      series={percentileSeries(found)}
      {...{ periods, interval }}
    />
  )
}

const percentileSeries = (found: BuildStatistics['first_downloads']): ChartSeries[] => [
  { name: insightsText.median, values: found.median_seconds },
  { name: insightsText.percentile90, values: found.percentile_90_seconds },
]

/** Says that not every build was read, if so. */
const sampleNote = ({ sample: { builds, max_builds }, interval }: BuildStatistics): string | false =>
  builds.some((count) => count >= max_builds) && insightsText.sampled(max_builds, interval)

type LineProps = {
  id: string
  title: string
  detail: string
  empty: string
  valueUnit: ChartUnit
  series: readonly ChartSeries[]
  periods: readonly ChartPeriod[]
  interval: PeriodUnit
  footer?: ReactNode
}

function LineChart({ id, title, detail, empty, valueUnit, series, periods, interval, footer }: LineProps) {
  const values = { periods, series, unit: valueUnit }
  return (
    <InsightChart
      id={id}
      title={title}
      detail={detail}
      values={values}
      empty={empty}
      unit={interval}
      footer={footer && <p className={classes.footer}>{footer}</p>}
    >
      <TrendLines label={`${title}, ${detail}`} values={values} height={chartHeight} />
    </InsightChart>
  )
}
