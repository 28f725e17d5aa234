import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSession } from '../../api/session.ts'
import { applicationText } from '../../text/applications.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatBytes, plural } from '../../ui/format/bytes.ts'
import { IconApps, IconPlus } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { recentEntriesQuery } from '../audit-log/audit-log.queries.ts'
import { attentionQuery, workspaceStatisticsQuery } from '../statistics/statistics.queries.ts'
import { ApplicationCard } from './application-card.tsx'
import { AttentionList } from './attention-list.tsx'
import classes from './home-page.module.css'
import { RecentActivity } from './recent-activity.tsx'
import { StorageCard } from './storage-card.tsx'

const NoAccessYet = lazyPart(async () => (await import('./no-access-yet.tsx')).NoAccessYet)

const shownDays = 30

/** Every application at a glance. A member without applications reads whom to ask for one. */
export function HomePage() {
  const { canSomewhere } = useSession()
  return canSomewhere('builds:read') ? (
    <Overview />
  ) : (
    <Suspense>
      <NoAccessYet />
    </Suspense>
  )
}

/** Every application, what needs attention, and what happened lately. */
function Overview() {
  const { can, workspace } = useSession()
  const { data, error, refetch } = useQuery(workspaceStatisticsQuery(shownDays))
  const isForWorkspace = can('workspace:read')
  const attention = useQuery({ ...attentionQuery, enabled: isForWorkspace })
  const entries = useQuery({ ...recentEntriesQuery, enabled: isForWorkspace })
  // The panels appear together, because each would otherwise move those below it.
  const isAsideLoading = data === undefined || attention.isLoading || entries.isLoading
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  const totals = data?.totals
  return (
    <>
      <PageHeader
        title={workspace.name}
        documentTitle="Home"
        facts={
          totals === undefined
            ? '\u00A0'
            : `${plural(totals.application_count, 'application')} · ${plural(totals.build_count, 'build')} · ${formatBytes(totals.stored_bytes)} stored`
        }
        actions={
          can('applications:create') && (
            <ButtonLink to="/applications/new" variant="default" leftSection={<IconPlus size={16} />}>
              New application
            </ButtonLink>
          )
        }
      />
      {data?.applications.length === 0 ? (
        <NoApplications />
      ) : (
        <div className={classes.columns}>
          <section className={classes.cards} aria-label="Applications">
            {data === undefined
              ? Array.from({ length: 6 }, (_, index) => <Skeleton key={index} height={188} radius="lg" />)
              : data.applications.map((application) => (
                  <ApplicationCard key={application.id} application={application} />
                ))}
          </section>
          <aside className={classes.aside}>
            {isAsideLoading ? (
              <>
                <Skeleton height={180} radius="lg" />
                <Skeleton height={280} radius="lg" />
              </>
            ) : (
              <>
                <AttentionList />
                <StorageCard statistics={data} />
                <RecentActivity />
              </>
            )}
          </aside>
        </div>
      )}
    </>
  )
}

function NoApplications() {
  return (
    <EmptyState
      icon={<IconApps size={22} />}
      title="No applications yet"
      action={
        <>
          <ButtonLink to="/applications/new">Create an application</ButtonLink>
          <CommandLine code='quayside applications create "My app" --platform android --platform ios' />
        </>
      }
    >
      {applicationText.new}
    </EmptyState>
  )
}
