import { Skeleton } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../api/session.ts'
import { reachText } from '../../../text/releases/release-reach.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { Section } from '../../../ui/section.tsx'
import { audienceQuery } from '../release.queries.ts'
import classes from './reach.module.css'
import { ReleaseAdoption } from './release-adoption.tsx'
import { VisiblePlaces } from './visible-places.tsx'

/** Where people find a release now, and how far it is adopted. */
export function Reach({ release }: { release: FullRelease }) {
  const { application_id: applicationId, id, status } = release
  const { data, error, refetch } = useQuery(audienceQuery(applicationId, id))
  const { can } = useSession()
  return (
    <div className={classes.page}>
      <Section title={reachText.places}>
        {status !== 'published' && <p className={classes.note}>{reachText.notPublished}</p>}
        {error !== null && <FailureBanner error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          error === null && <Skeleton height={260} radius="lg" />
        ) : (
          <VisiblePlaces release={release} audience={data} />
        )}
      </Section>
      {can('builds:read', applicationId) && (
        <Section title={reachText.adoption}>
          <ReleaseAdoption release={release} />
        </Section>
      )}
    </div>
  )
}
