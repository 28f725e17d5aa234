import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'
import { useSession } from '../../../api/session.ts'
import { NotFoundPage } from '../../../frame/not-found-page.tsx'
import { QueryFailure } from '../../../frame/query-failure.tsx'
import { buildText } from '../../../text/builds/build.ts'
import { Fact, FactList } from '../../../ui/fact-list.tsx'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { absoluteTime } from '../../../ui/format/time.ts'
import { IconTrash } from '../../../ui/icons/icons.ts'
import { BackLink } from '../../../ui/navigation/back-link.tsx'
import { PageHeader } from '../../../ui/navigation/page-header.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { BranchCommit, SourceRun } from '../build-cells.tsx'
import { versionText } from '../build.queries.ts'
import { trashedBuildQuery } from './build-details.queries.ts'
import { BuildSkeleton } from './build-skeleton.tsx'

type Props = { applicationId: string; buildId: string; onRestored: () => Promise<unknown> }

/** Shows a build that is in the trash, or that there is no such build. */
export function TrashedBuild({ applicationId, buildId, onRestored }: Props) {
  const query = useQuery(trashedBuildQuery(applicationId, buildId))
  const { data: build } = query
  const queryClient = useQueryClient()
  const { can } = useSession()
  if (query.isPending) return <BuildSkeleton />
  if (query.error !== null) return <QueryFailure query={query} />
  if (build === null || build === undefined) return <NotFoundPage />

  async function restore(): Promise<void> {
    try {
      await api.restoreBuild({ application_id: applicationId, build_id: buildId })
      showDone(buildText.trashed.restored)
      await onRestored()
      await queryClient.invalidateQueries({ queryKey: applicationKey(applicationId, 'builds') })
    } catch (failure) {
      showFailure(failure)
    }
  }
  const canRestore = can('builds:write', applicationId)
  return (
    <>
      <BackLink to="/applications/$applicationId" params={{ applicationId }} search={{ trashed: true }}>
        Trash
      </BackLink>
      <PageHeader title={versionText(build)} facts={`${build.platform.name} · ${build.stream.name}`} />
      <Notice
        mb="md"
        kind="warn"
        icon={<IconTrash size={18} aria-hidden />}
        title={buildText.trashed.title}
        action={canRestore && <Button onClick={() => void restore()}>Restore</Button>}
      >
        {typeof build.purge_at === 'string' && buildText.trashed.keptUntil(absoluteTime(build.purge_at))}{' '}
        {!canRestore && buildText.trashed.notRestorable}
      </Notice>
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
