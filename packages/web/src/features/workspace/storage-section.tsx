import { Progress, Skeleton, Text } from '@mantine/core'
import type { WorkspaceStatistics } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useSession } from '../../api/session.ts'
import { settingsText } from '../../text/settings.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { isShortHistory } from '../../ui/charts/chart-history.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatBytes, plural } from '../../ui/format/bytes.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconDatabase } from '../../ui/icons/icons.ts'
import { Item, ItemList } from '../../ui/item-list.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { WhomToAsk } from '../members/whom-to-ask.tsx'
import { workspaceStatisticsQuery } from '../statistics/statistics.queries.ts'
import classes from './storage-section.module.css'

const StackedArea = lazyPart(async () => (await import('../../ui/charts/stacked-area.tsx')).StackedArea)

const shownDays = 90
const shownSeries = 5
const chartHeight = 240

/** How much each application stores, now and over time. */
export function StorageSection() {
  const { canSomewhere } = useSession()
  const canRead = canSomewhere('builds:read')
  const query = useQuery({ ...workspaceStatisticsQuery(shownDays), enabled: canRead })
  if (!canRead)
    return (
      <SettingsSection title="Storage" description={settingsText.storage}>
        <EmptyState icon={<IconDatabase size={22} />} title="No applications yet">
          <WhomToAsk forWhat="to add you to an application" />
        </EmptyState>
      </SettingsSection>
    )
  return (
    <SettingsSection title="Storage" description={settingsText.storage}>
      <Loaded query={query}>{(statistics) => <StorageUsage statistics={statistics} />}</Loaded>
    </SettingsSection>
  )
}

function StorageUsage({ statistics }: { statistics: WorkspaceStatistics }) {
  const { days, totals, truncated } = statistics
  const applications = statistics.applications.toSorted((a, b) => b.stored_bytes - a.stored_bytes)
  const largest = applications.slice(0, shownSeries)
  const others = totals.storage.map((total, day) =>
    largest.reduce((rest, { storage }) => rest - (storage[day] ?? 0), total),
  )
  const series = largest.map(({ name, storage }) => ({ name, values: storage }))
  if (others.some((bytes) => bytes > 0)) series.push({ name: 'Other', values: others })
  if (totals.stored_bytes === 0)
    return (
      <EmptyState icon={<IconDatabase size={22} />} title="No storage used">
        {settingsText.noStorage}
      </EmptyState>
    )
  return (
    <>
      <Text fz={28} fw={620} lh={1.2} className="tabular">
        {formatBytes(totals.stored_bytes)}
      </Text>
      <Text c="dimmed" fz="sm" mb="md">
        in {plural(totals.build_count, 'build')} of {plural(totals.application_count, 'application')}, and in
        the trash
      </Text>
      {!isShortHistory(series) && (
        <Suspense fallback={<Skeleton height={chartHeight} />}>
          <StackedArea
            label={`Storage by application in the last ${shownDays} days`}
            days={days}
            series={series}
            format={formatBytes}
            height={chartHeight}
          />
        </Suspense>
      )}
      <div className={classes.list}>
        <ItemList label="Storage by application">
          {applications.map((application) => (
            <ApplicationUsage
              key={application.id}
              application={application}
              totalBytes={totals.stored_bytes}
            />
          ))}
        </ItemList>
      </div>
      {truncated && (
        <Text c="dimmed" fz="sm" mt="xs">
          {settingsText.truncated}
        </Text>
      )}
    </>
  )
}

type UsageProps = { application: WorkspaceStatistics['applications'][number]; totalBytes: number }

function ApplicationUsage({ application, totalBytes }: UsageProps) {
  const { id, name, icon_url: url, stored_bytes: bytes, build_count: count } = application
  return (
    <Item
      leading={<ApplicationIcon name={name} url={url} size={28} />}
      title={
        <Link to="/applications/$applicationId" params={{ applicationId: id }}>
          {name}
        </Link>
      }
      detail={plural(count, 'build')}
      end={
        <div className={classes.usage}>
          <Progress
            value={(bytes / totalBytes) * 100}
            className={classes.bar}
            aria-label={`${name}: share of storage`}
          />
          <span className={classes.bytes}>{formatBytes(bytes)}</span>
        </div>
      }
    />
  )
}
