import { Skeleton } from '@mantine/core'
import { useQueries, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { buildQuery } from '../builds/build.queries.ts'
import { valuesOf } from '../builds/list/build-list.search.ts'
import { NewReleaseForm } from './new/new-release-form.tsx'

const route = getRouteApi('/console/applications/$applicationId/releases/new')

/** Creates a release, with the builds that the URL names. */
export function NewReleasePage() {
  const { applicationId } = route.useParams()
  const { builds: ids } = route.useSearch()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const builds = useQueries({
    queries: valuesOf(ids).map((id) => buildQuery(applicationId, id)),
  })
  const isPending = builds.some((each) => each.isPending)
  const failed = builds.find(({ error }) => error !== null)
  return (
    <>
      <PageHeader title="New release" />
      {failed !== undefined && <FailureBanner error={failed.error} onRetry={() => void failed.refetch()} />}
      {isPending ? (
        <Skeleton height={360} radius="lg" />
      ) : (
        <NewReleaseForm application={application} initialBuilds={builds.flatMap(({ data }) => data ?? [])} />
      )}
    </>
  )
}
