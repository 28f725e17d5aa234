import { Skeleton } from '@mantine/core'
import { IconApps, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { formatBytes, plural } from '../../ui/bytes.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { recentEntriesQuery } from '../audit-log/audit-log.queries.ts'
import { attentionQuery, workspaceStatisticsQuery } from '../statistics/statistics.queries.ts'
import { ApplicationCard } from './application-card.tsx'
import { AttentionList } from './attention-list.tsx'
import classes from './home-page.module.css'
import { RecentActivity } from './recent-activity.tsx'
import { StorageCard } from './storage-card.tsx'

const shownDays = 30

/** Every application at a glance, what needs attention, and what happened lately. */
export function HomePage() {
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
            : `${plural(totals.application_count, 'application')} · ${plural(totals.build_count, 'build')} · ${formatBytes(totals.stored_bytes)}`
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
        <NoApplications canCreate={can('applications:create')} />
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

function NoApplications({ canCreate }: { canCreate: boolean }) {
  return (
    <EmptyState
      icon={<IconApps size={22} />}
      title="No applications yet"
      action={
        canCreate ? (
          <>
            <ButtonLink to="/applications/new">Create an application</ButtonLink>
            <CommandLine code='quayside applications create "My app" --platform android --platform ios' />
          </>
        ) : undefined
      }
    >
      {canCreate
        ? 'An application is a product whose builds you distribute, for any number of platforms.'
        : 'You are not a member of any application yet. Ask an admin of the workspace to add you.'}
    </EmptyState>
  )
}
