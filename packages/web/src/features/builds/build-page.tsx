import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { failureOf } from '../../api/errors.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { buildQuery } from './build.queries.ts'
import { BuildDetails } from './details/build-details.tsx'
import { BuildSkeleton } from './details/build-skeleton.tsx'
import { TrashedBuild } from './details/trashed-build.tsx'

const route = getRouteApi('/console/applications/$applicationId/builds/$buildId')

/** The page of a build. Its tab is in the URL. */
export function BuildPage() {
  const { applicationId, buildId } = route.useParams()
  const { data: build, error, refetch } = useQuery(buildQuery(applicationId, buildId))
  if (error !== null && failureOf(error).status === 404)
    return <TrashedBuild applicationId={applicationId} buildId={buildId} onRestored={refetch} />
  if (build !== undefined) return <BuildDetails key={build.id} build={build} />
  return error === null ? <BuildSkeleton /> : <FailureBanner error={error} onRetry={() => void refetch()} />
}
