import { Group, SegmentedControl, Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { insightsText } from '../../text/insights.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconChartBar } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { exampleFile, uploadCommand } from '../uploads/upload-command.ts'
import { ApplicationCharts } from './application-charts.tsx'
import classes from './insights-page.module.css'
import { defaultRange, insightsGroups, insightsRanges } from './insights.search.ts'
import { defaultUnit } from './periods.ts'
import { StatisticsTotals } from './statistics-totals.tsx'
import { applicationStatisticsQuery, buildStatisticsQuery } from './statistics.queries.ts'
import { useInsightsSearch } from './use-insights-search.ts'

const route = getRouteApi('/console/applications/$applicationId/insights')

const ranges = insightsRanges.map((days) => ({
  value: String(days),
  label: days === 365 ? '1 year' : `${days} days`,
}))

/** Shows uploads, downloads and storage of an application over time. */
export function InsightsPage() {
  const { applicationId } = route.useParams()
  const { days: range = defaultRange, group = defaultUnit(range) } = useInsightsSearch()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...applicationStatisticsQuery(applicationId, range),
    placeholderData: keepPreviousData,
  })
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  // A chart that the URL names keeps its place if the charts above it are drawn at the same time.
  const { isPending } = useQuery({
    ...buildStatisticsQuery(applicationId, range, group),
    placeholderData: keepPreviousData,
  })
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  const isEmpty =
    data !== undefined &&
    data.uploads.total + data.downloads.total + data.storage.stored_bytes === 0 &&
    range === 365
  return (
    <>
      <PageHeader title="Insights" actions={<PeriodControls />} />
      {isEmpty ? (
        <NothingToCount applicationId={applicationId} />
      ) : (
        <div
          className={classes.content}
          data-stale={isPlaceholderData || undefined}
          aria-busy={isPlaceholderData}
        >
          {data === undefined || isPending ? (
            <InsightsSkeleton />
          ) : (
            <>
              <StatisticsTotals statistics={data} application={application} />
              <ApplicationCharts statistics={data} application={application} />
            </>
          )}
        </div>
      )}
    </>
  )
}

function PeriodControls() {
  const { days: range = defaultRange, group, change } = useInsightsSearch()
  const unit = defaultUnit(range)
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        data={insightsGroups.map((value) => ({ value, label: insightsText.groups[value] }))}
        value={group ?? unit}
        onChange={(value) => change({ group: value === unit ? undefined : value })}
        aria-label="Grouping"
      />
      <SegmentedControl
        size="xs"
        data={ranges}
        value={String(range)}
        onChange={(value) => {
          const days = insightsRanges.find((each) => String(each) === value)
          change({ days: days === defaultRange ? undefined : days, group: undefined })
        }}
        aria-label="Period"
      />
    </Group>
  )
}

function InsightsSkeleton() {
  return (
    <>
      <div className={classes.totals}>
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} height={86} radius="lg" />
        ))}
      </div>
      <div className={classes.charts}>
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} height={310} radius="lg" />
        ))}
      </div>
    </>
  )
}

function NothingToCount({ applicationId }: { applicationId: string }) {
  const { can } = useSession()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const file = exampleFile(application.platforms.map(({ identifier }) => identifier))
  return (
    <EmptyState
      icon={<IconChartBar size={22} />}
      title="Nothing to count yet"
      action={
        can('builds:create', applicationId) ? (
          <>
            <ButtonLink to="/upload" search={{ application: applicationId }}>
              Upload the first build
            </ButtonLink>
            <CommandLine code={uploadCommand({ applicationId, serviceUrl, file })} label="upload command" />
          </>
        ) : undefined
      }
    >
      {insightsText.empty}
    </EmptyState>
  )
}
