import { Button } from '@mantine/core'
import { IconChevronLeft, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { NotFoundPage } from '../../../frame/not-found-page.tsx'
import { buildText } from '../../../text/build.ts'
import { formatBytes } from '../../../ui/bytes.ts'
import { Fact, FactList } from '../../../ui/fact-list.tsx'
import { FailureBanner } from '../../../ui/failure-banner.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { absoluteTime } from '../../../ui/time.ts'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { BranchCommit, SourceRun } from '../build-cells.tsx'
import { versionText } from '../build.queries.ts'
import { Banner } from './banner.tsx'
import { trashedBuildQuery } from './build-details.queries.ts'
import classes from './build-header.module.css'
import { BuildSkeleton } from './build-skeleton.tsx'

type Props = { applicationId: string; buildId: string; onRestored: () => Promise<unknown> }

/** Shows a build that is in the trash, or that there is no such build. */
export function TrashedBuild({ applicationId, buildId, onRestored }: Props) {
  const { data: build, error, isPending, refetch } = useQuery(trashedBuildQuery(applicationId, buildId))
  const queryClient = useQueryClient()
  const { can } = useSession()
  if (isPending) return <BuildSkeleton />
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  if (build === null || build === undefined) return <NotFoundPage />

  async function restore(): Promise<void> {
    try {
      await api.restoreBuild({ application_id: applicationId, build_id: buildId })
      showDone('1 build restored.')
      await onRestored()
      await queryClient.invalidateQueries({ queryKey: ['applications', applicationId, 'builds'] })
    } catch (failure) {
      showFailure(failure)
    }
  }
  const canRestore = can('builds:write', applicationId)
  return (
    <>
      <Link
        to="/applications/$applicationId"
        params={{ applicationId }}
        search={{ trashed: true }}
        className={classes.back}
      >
        <IconChevronLeft size={15} aria-hidden /> Trash
      </Link>
      <PageHeader title={versionText(build)} facts={`${build.platform.name} · ${build.stream.name}`} />
      <Banner
        tone="warn"
        icon={<IconTrash size={18} aria-hidden />}
        title={buildText.trashed.title}
        action={canRestore && <Button onClick={() => void restore()}>Restore</Button>}
      >
        {typeof build.purge_at === 'string' && buildText.trashed.keptUntil(absoluteTime(build.purge_at))}{' '}
        {!canRestore && buildText.trashed.notRestorable}
      </Banner>
      <FactList>
        <Fact name="Deleted">
          {typeof build.deleted_at === 'string' && <RelativeTime time={build.deleted_at} />}
        </Fact>
        <Fact name="Deleted by">{build.deleted_by?.name}</Fact>
        <Fact name="Uploaded">
          <RelativeTime time={build.created_at} />
        </Fact>
        <Fact name="Commit">
          <BranchCommit build={build} />
        </Fact>
        <Fact name="Source">
          <SourceRun build={build} />
        </Fact>
        <Fact name="Size">{formatBytes(build.size_total_bytes)}</Fact>
      </FactList>
    </>
  )
}
