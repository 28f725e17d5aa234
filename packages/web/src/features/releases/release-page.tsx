import { Skeleton, Tabs } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { optionalOneOf } from '../../api/search-params.ts'
import { useSession } from '../../api/session.ts'
import { QueryFailure } from '../../frame/query-failure.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { BackLink } from '../../ui/navigation/back-link.tsx'
import pageTabs from '../../ui/navigation/page-tabs.module.css'
import { applicationQuery } from '../applications/application.queries.ts'
import { ReleaseDownloads } from '../downloads/release-downloads.tsx'
import { ShareLinkList } from '../share-links/share-link-list.tsx'
import { Audience } from './audience/audience.tsx'
import { ReleaseHeader } from './details/release-header.tsx'
import { ReleaseOverview } from './details/release-overview.tsx'
import classes from './details/release-page.module.css'
import { StatusBanner } from './details/status-banner.tsx'
import { ReleaseTasks, type ReleaseTask } from './release-task.ts'
import { releaseQuery } from './release.queries.ts'

const Reach = lazyPart(async () => (await import('./reach/reach.tsx')).Reach)

const route = getRouteApi('/console/applications/$applicationId/releases/$releaseId')
const tabs = ['overview', 'audience', 'reach', 'share-links', 'downloads'] as const

/** A release: its notes and builds, and the people who get it. */
export function ReleasePage() {
  const { applicationId, releaseId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useSession()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const query = useQuery(releaseQuery(applicationId, releaseId))
  const { data: release } = query
  const [task, setTask] = useState<ReleaseTask>()
  const tasks = useMemo(() => ({ task, start: setTask }), [task])
  const tab = optionalOneOf(search.tab, tabs) ?? 'overview'
  if (query.error !== null) return <QueryFailure query={query} />
  return (
    <>
      <BackLink to="/applications/$applicationId/releases" params={{ applicationId }}>
        Releases
      </BackLink>
      {release === undefined ? (
        <ReleaseSkeleton />
      ) : (
        <ReleaseTasks value={tasks}>
          <ReleaseHeader release={release} />
          <StatusBanner release={release} />
          <Tabs
            value={tab}
            onChange={(value) =>
              void navigate({ search: { tab: value === 'overview' || value === null ? undefined : value } })
            }
          >
            <Tabs.List className={pageTabs.tabs}>
              <Tabs.Tab value="overview">Overview</Tabs.Tab>
              <Tabs.Tab value="audience">Audience</Tabs.Tab>
              <Tabs.Tab value="reach">Reach</Tabs.Tab>
              {can('share_links:read', applicationId) && <Tabs.Tab value="share-links">Share links</Tabs.Tab>}
              {can('builds:read', applicationId) && <Tabs.Tab value="downloads">Downloads</Tabs.Tab>}
            </Tabs.List>
            <Tabs.Panel value="overview">
              <ReleaseOverview release={release} />
            </Tabs.Panel>
            <Tabs.Panel value="audience">
              <Audience release={release} />
            </Tabs.Panel>
            <Tabs.Panel value="reach">
              <Suspense fallback={<Skeleton height={320} radius="lg" mt="lg" />}>
                <Reach release={release} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="share-links">
              <div className={classes.panel}>
                <ShareLinkList
                  shareable={{ type: 'release', applicationId, id: releaseId }}
                  name={`${application.name} ${release.version}`}
                />
              </div>
            </Tabs.Panel>
            <Tabs.Panel value="downloads">
              <ReleaseDownloads applicationId={applicationId} releaseId={releaseId} />
            </Tabs.Panel>
          </Tabs>
        </ReleaseTasks>
      )}
    </>
  )
}

function ReleaseSkeleton() {
  return (
    <div aria-busy>
      <Skeleton height={24} width="18rem" mb={10} />
      <Skeleton height={14} width="26rem" maw="100%" mb={32} />
      <div className={classes.columns}>
        <div>
          <Skeleton height={14} width="80%" mb={10} />
          <Skeleton height={14} width="60%" mb={32} />
          <Skeleton height={180} radius="lg" />
        </div>
        <Skeleton height={160} radius="lg" />
      </div>
    </div>
  )
}
