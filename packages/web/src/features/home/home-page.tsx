import { Skeleton } from '@mantine/core'
import type { WorkspaceStatistics } from '@quayside/sdk'
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
import { versionText } from '../builds/build.queries.ts'
import { firstStepsQuery, shownSteps } from '../first-steps/first-step.queries.ts'
import type { FirstStepTargets } from '../first-steps/step-dialog.tsx'
import { attentionQuery, workspaceStatisticsQuery } from '../statistics/statistics.queries.ts'
import { ApplicationCard } from './application-card.tsx'
import { AttentionList } from './attention-list.tsx'
import classes from './home-page.module.css'
import { RecentActivity } from './recent-activity.tsx'
import { StorageCard } from './storage-card.tsx'

const NoAccessYet = lazyPart(async () => (await import('./no-access-yet.tsx')).NoAccessYet)

const FirstStepsCard = lazyPart(
  async () => (await import('../first-steps/first-steps-card.tsx')).FirstStepsCard,
)
const SampleButton = lazyPart(
  async () => (await import('../sample-application/sample-button.tsx')).SampleButton,
)

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
  const { can, workspace, sample_application_id: sampleId } = useSession()
  const { data, error, refetch } = useQuery(workspaceStatisticsQuery(shownDays))
  const isForWorkspace = can('workspace:read')
  const attention = useQuery({ ...attentionQuery, enabled: isForWorkspace })
  const entries = useQuery({ ...recentEntriesQuery, enabled: isForWorkspace })
  const firstSteps = useQuery(firstStepsQuery)
  const steps = firstSteps.data === undefined ? [] : shownSteps(firstSteps.data)
  // The panels appear together, because each would otherwise move those below it.
  const isAsideLoading =
    data === undefined || attention.isLoading || entries.isLoading || firstSteps.isLoading
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  const totals = data?.totals
  // The builds of a workspace show more than a sample.
  const isSampleOffered = totals?.build_count === 0 && sampleId === null && can('applications:create')
  const hasNone = data?.applications.length === 0
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
      <div
        className={hasNone && steps.length === 0 ? undefined : classes.columns}
        data-steps={steps.length > 0 || undefined}
      >
        {data !== undefined && steps.length > 0 && (
          <div className={classes.steps}>
            <Suspense fallback={<Skeleton height={stepsHeight(steps.length)} radius="lg" />}>
              <FirstStepsCard steps={steps} {...targetsOf(data, sampleId)} />
            </Suspense>
          </div>
        )}
        {hasNone ? (
          <div className={classes.main}>
            <NoApplications isSampleOffered={isSampleOffered} />
          </div>
        ) : (
          <section className={classes.cards} aria-label="Applications">
            {data === undefined
              ? Array.from({ length: 6 }, (_, index) => <Skeleton key={index} height={188} radius="lg" />)
              : data.applications.map((application) => (
                  <ApplicationCard key={application.id} application={application} />
                ))}
            {isSampleOffered && (
              <div className={classes.sample}>
                <SampleButton />
              </div>
            )}
          </section>
        )}
        {!hasNone && (
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
        )}
      </div>
    </>
  )
}

const stepsHeight = (count: number): number => 74 + count * 54

/** Returns the application and the build to which the first steps lead. */
function targetsOf({ applications }: WorkspaceStatistics, sampleId: string | null): FirstStepTargets {
  const own = applications.filter(({ id }) => id !== sampleId)
  const [newest] = own
    .flatMap(({ id: applicationId, newest_builds: builds }) =>
      builds.map((build) => ({ ...build, applicationId, version: versionText(build) })),
    )
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  return { applicationId: newest?.applicationId ?? own[0]?.id, build: newest }
}

function NoApplications({ isSampleOffered }: { isSampleOffered: boolean }) {
  return (
    <EmptyState
      icon={<IconApps size={22} />}
      title="No applications yet"
      action={
        <>
          <ButtonLink to="/applications/new">Create an application</ButtonLink>
          <CommandLine code='quayside applications create "My app" --platform android --platform ios' />
          {isSampleOffered && <SampleButton />}
        </>
      }
    >
      {applicationText.new}
    </EmptyState>
  )
}
