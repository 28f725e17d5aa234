import { SegmentedControl, Skeleton } from '@mantine/core'
import type { AdoptedRelease, FullRelease, ReleaseAdoption as Adoption } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { optionalOneOf } from '../../../api/search-params.ts'
import { reachText as text } from '../../../text/releases/release-reach.ts'
import { sum, type ChartValues } from '../../../ui/charts/chart-values.ts'
import { formatCount } from '../../../ui/format/bytes.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.ts'
import chartClasses from '../../statistics/insight-chart.module.css'
import { chartHeight, InsightChart } from '../../statistics/insight-chart.tsx'
import { Total } from '../../statistics/statistics-totals.tsx'
import { releaseAdoptionQuery } from '../release.queries.ts'
import classes from './reach.module.css'

const TrendLines = lazyPart(async () => (await import('../../../ui/charts/trend-lines.tsx')).TrendLines)

const route = getRouteApi('/console/applications/$applicationId/releases/$releaseId')
const metrics = ['download', 'install', 'check'] as const

type Metric = (typeof metrics)[number]

/** How far a release is adopted, beside the release before it. */
export function ReleaseAdoption({ release }: { release: FullRelease }) {
  const query = useQuery(releaseAdoptionQuery(release.application_id, release.id))
  if (query.error !== null) return <FailureBanner error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeleton height={360} radius="lg" />
  const { data: adoption } = query
  if (adoption.release === null) return <p className={classes.note}>{text.adoptionLater}</p>
  return (
    <>
      <Figures adoption={adoption} current={adoption.release} />
      <AdoptionChart current={adoption.release} previous={adoption.previous} />
    </>
  )
}

const valuesOf = (release: AdoptedRelease, metric: Metric): readonly number[] => release[`${metric}_counts`]

function Figures({ adoption, current }: { adoption: Adoption; current: AdoptedRelease }) {
  const { previous, tester_count, testers_on_release, check_count, checks_on_release } = adoption
  const days = current.download_counts.length
  const before = (metric: Metric) =>
    previous === null
      ? text.first
      : text.before(sum(valuesOf(previous, metric).slice(0, days)), previous.version, days)
  const counted = (['download', 'install'] as const).map((metric) => (
    <Total
      key={metric}
      label={text.total[metric]}
      value={formatCount(sum(valuesOf(current, metric)))}
      detail={before(metric)}
    />
  ))
  return (
    <dl className={classes.figures}>
      <Total
        label={text.testers}
        value={text.percent(testers_on_release, tester_count)}
        detail={text.testersDetail(testers_on_release, tester_count)}
      />
      <Total
        label={text.checks}
        value={text.percent(checks_on_release, check_count)}
        detail={text.checksDetail(checks_on_release, check_count)}
      />
      {counted}
    </dl>
  )
}

type ChartProps = { current: AdoptedRelease; previous: AdoptedRelease | null }

/** Draws the running totals of both releases by days since their publication. */
function AdoptionChart({ current, previous }: ChartProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const metric = optionalOneOf(search.metric, metrics) ?? 'download'
  const values = chartValues([current, ...(previous === null ? [] : [previous])], metric)
  const detail = text.chartDetail(previous?.version)
  return (
    <InsightChart
      id={`${metric}s`}
      title={text.total[metric]}
      detail={detail}
      isWide
      values={values}
      empty={text.empty[metric]}
      unit="day"
      controls={
        <div className={chartClasses.controls}>
          <SegmentedControl
            size="xs"
            aria-label={text.metric}
            data={metrics.map((value) => ({ value, label: text.total[value] }))}
            value={metric}
            onChange={(value) =>
              void navigate({
                search: (before) => ({ ...before, metric: value === 'download' ? undefined : value }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </div>
      }
    >
      <TrendLines
        label={`${text.total[metric]}, ${detail}`}
        values={values}
        height={chartHeight}
        lines={['solid', 'dashed']}
      />
    </InsightChart>
  )
}

function chartValues(releases: readonly AdoptedRelease[], metric: Metric): ChartValues {
  const length = Math.max(...releases.map((release) => valuesOf(release, metric).length))
  const days = Array.from({ length }, (_, index) => index + 1)
  return {
    periods: days.map((day) => ({ from: `day-${day}`, to: `day-${day}`, label: text.day(day) })),
    series: releases.map((release) => {
      const totals = runningTotals(valuesOf(release, metric))
      return { name: release.version, values: days.map((day) => totals[day - 1] ?? null) }
    }),
    unit: 'count',
    recorded: days.map(() => 1),
  }
}

function runningTotals(values: readonly number[]): number[] {
  let total = 0
  return values.map((value) => (total += value))
}
