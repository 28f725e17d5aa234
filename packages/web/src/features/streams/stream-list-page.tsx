import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { StreamDetails } from './details/stream-details.tsx'
import { StreamList } from './list/stream-list.tsx'
import { streamsQuery } from './stream.queries.ts'

const route = getRouteApi('/console/applications/$applicationId/streams')

/** The streams of an application, or the one that the URL names. */
export function StreamListPage() {
  const { applicationId } = route.useParams()
  const { stream: selected } = route.useSearch()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { data: streams, error, refetch } = useQuery(streamsQuery(applicationId))
  if (error !== null) return <FailureBanner error={error} onRetry={() => void refetch()} />
  const stream = streams?.find(({ id, name }) => id === selected || name === selected)
  return stream === undefined ? (
    <StreamList application={application} streams={streams} unknown={streams && selected} />
  ) : (
    <StreamDetails key={stream.id} application={application} stream={stream} streams={streams ?? []} />
  )
}
