import { Tabs } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { optionalOneOf } from '../../../api/search-params.ts'
import { useSession } from '../../../api/session.ts'
import { formatCount } from '../../../ui/format/bytes.ts'
import { lazyPart } from '../../../ui/loading/lazy-part.ts'
import pageTabs from '../../../ui/navigation/page-tabs.module.css'
import { openFeedbackCountQuery } from '../../feedback/feedback.queries.ts'
import { shareLinksQuery } from '../../share-links/share-link.queries.ts'
import { FileCheck } from '../files/file-check.tsx'
import { Overview } from '../overview/overview.tsx'
import { BuildBanners } from './build-banners.tsx'
import classes from './build-details.module.css'
import { downloadCountQuery } from './build-details.queries.ts'
import { BuildHeader } from './build-header.tsx'
import { TabSkeleton } from './tab-skeleton.tsx'
import { useBuildPageActions } from './use-build-page-actions.tsx'

const route = getRouteApi('/console/applications/$applicationId/builds/$buildId')

const tabNames = [
  'overview',
  'files',
  'artifacts',
  'downloads',
  'feedback',
  'compare',
  'share-links',
  'activity',
] as const

const Files = lazyPart(async () => (await import('../files/files.tsx')).Files)
const Artifacts = lazyPart(async () => (await import('../artifacts/artifacts.tsx')).Artifacts)
const Downloads = lazyPart(async () => (await import('../downloads/downloads.tsx')).Downloads)
const Feedback = lazyPart(async () => (await import('../../feedback/build-feedback.tsx')).BuildFeedback)
const Compare = lazyPart(async () => (await import('../compare/compare.tsx')).Compare)
const ShareLinks = lazyPart(async () => (await import('../../share-links/share-link-list.tsx')).ShareLinkList)
const Activity = lazyPart(async () => (await import('../activity/activity.tsx')).Activity)

/** Everything about one build. */
export function BuildDetails({ build }: { build: FullBuild }) {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { application_id: applicationId } = build
  useBuildPageActions(build)
  const { canReadLinks, canReadActivity } = useTabAccess(applicationId)
  const shareable = shareableOf(build)
  return (
    <>
      <BuildHeader build={build} />
      <BuildBanners build={build} />
      <FileCheck build={build} />
      <Tabs
        value={optionalOneOf(tab, tabNames) ?? 'overview'}
        onChange={(value) =>
          void navigate({
            search: { tab: value === 'overview' || value === null ? undefined : value },
            replace: true,
            resetScroll: false,
          })
        }
      >
        <TabList build={build} />
        <Panel value="overview">
          <Overview build={build} />
        </Panel>
        <Panel value="files">
          <Files build={build} />
        </Panel>
        <Panel value="artifacts">
          <Artifacts build={build} />
        </Panel>
        <Panel value="downloads">
          <Downloads build={build} />
        </Panel>
        <Panel value="feedback">
          <Feedback build={build} />
        </Panel>
        <Panel value="compare">
          <Compare build={build} />
        </Panel>
        {canReadLinks && (
          <Panel value="share-links">
            <ShareLinks shareable={shareable} />
          </Panel>
        )}
        {canReadActivity && (
          <Panel value="activity">
            <Activity build={build} />
          </Panel>
        )}
      </Tabs>
    </>
  )
}

function TabList({ build }: { build: FullBuild }) {
  const { application_id: applicationId, id } = build
  const { canReadLinks, canReadActivity } = useTabAccess(applicationId)
  const { data: downloads } = useQuery(downloadCountQuery(applicationId, id))
  const { data: feedback } = useQuery(openFeedbackCountQuery(applicationId, id))
  const { data: links } = useQuery({ ...shareLinksQuery(shareableOf(build)), enabled: canReadLinks })
  return (
    <Tabs.List className={`${pageTabs.tabs} ${classes.tabs}`} ref={showActiveTab}>
      <Tabs.Tab value="overview">Overview</Tabs.Tab>
      <Counted value="files" count={1 + build.expansion_files.length}>
        Files
      </Counted>
      <Counted value="artifacts" count={build.metadata_artifacts.length}>
        Artifacts
      </Counted>
      <Counted value="downloads" count={downloads}>
        Downloads
      </Counted>
      <Counted value="feedback" count={feedback}>
        Feedback
      </Counted>
      <Tabs.Tab value="compare">Compare</Tabs.Tab>
      {canReadLinks && (
        <Counted value="share-links" count={links?.length}>
          Share links
        </Counted>
      )}
      {canReadActivity && <Tabs.Tab value="activity">Activity</Tabs.Tab>}
    </Tabs.List>
  )
}

/** Returns which of the tabs that not everyone may read are shown. */
function useTabAccess(applicationId: string) {
  const { can } = useSession()
  return {
    canReadLinks: can('share_links:read', applicationId),
    canReadActivity: can('workspace:read'),
  }
}

const shareableOf = ({ application_id: applicationId, id }: FullBuild) =>
  ({ type: 'build', applicationId, id }) as const

/** Scrolls to the active tab, which may be outside a narrow screen. */
function showActiveTab(list: HTMLDivElement | null): void {
  const tab = list?.querySelector<HTMLElement>('[aria-selected=true]')
  if (list && tab) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.clientWidth) / 2
}

function Counted({
  value,
  count,
  children,
}: {
  value: string
  count: number | undefined
  children: ReactNode
}) {
  return (
    <Tabs.Tab value={value}>
      {children}
      {count !== undefined && count > 0 && <span className={classes.count}>{formatCount(count)}</span>}
    </Tabs.Tab>
  )
}

function Panel({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Tabs.Panel value={value} tabIndex={-1}>
      <Suspense fallback={<TabSkeleton />}>{children}</Suspense>
    </Tabs.Panel>
  )
}
