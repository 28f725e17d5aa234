import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useMatchRoute, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { useSession } from '../../api/session.ts'
import { useTabIcon } from '../../frame/tab-icon.ts'
import { ApplicationIcon } from '../../ui/application-icon.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { TabTitlePrefix } from '../../ui/navigation/page-header.tsx'
import classes from './application-layout.module.css'
import { useApplicationTabs } from './application-tabs.ts'
import { applicationQuery } from './application.queries.ts'

const SampleBanner = lazyPart(
  async () => (await import('../sample-application/sample-banner.tsx')).SampleBanner,
)

const route = getRouteApi('/console/applications/$applicationId')

const activeTab = { 'data-active': true, 'aria-current': 'page' } as const

/** Shows the application and its tabs above each of its pages. */
export function ApplicationLayout() {
  const { applicationId } = route.useParams()
  const { sample_application_id: sampleId } = useSession()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  useTabIcon(application.icon_url)
  const tabList = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // On a phone, the tabs are wider than the screen.
  useEffect(() => {
    const tab = tabList.current?.querySelector<HTMLElement>('[data-active]')
    if (tab)
      tabList.current?.scrollTo({
        left: tab.offsetLeft - (tabList.current.clientWidth - tab.clientWidth) / 2,
      })
  }, [path])
  const params = { applicationId }
  const matchRoute = useMatchRoute()
  const isBelowBuilds =
    matchRoute({ to: '/applications/$applicationId/builds/$buildId' }) !== false ||
    matchRoute({ to: '/applications/$applicationId/views/$viewId' }) !== false
  return (
    <>
      <div className={classes.header}>
        <Link to="/applications/$applicationId" params={params} className={classes.name}>
          <ApplicationIcon name={application.name} url={application.icon_url} size={28} />
          {application.name}
        </Link>
        <nav ref={tabList} className={classes.tabs} aria-label={application.name}>
          {useApplicationTabs(applicationId).map(({ label, link, isIndex = false }) => (
            <Link
              key={label}
              {...link}
              activeOptions={{ exact: isIndex, includeSearch: false }}
              className={classes.tab}
              activeProps={activeTab}
              {...(isIndex && isBelowBuilds && activeTab)}
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
      {applicationId === sampleId && (
        <Suspense>
          <SampleBanner />
        </Suspense>
      )}
      <TabTitlePrefix value={application.name}>
        <Outlet />
      </TabTitlePrefix>
    </>
  )
}
