import { QuaysideError } from '@quayside/sdk'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import { basePath } from './api/client.ts'
import { texts } from './api/search-params.ts'
import { sessionQuery } from './api/session.ts'
import { applicationQuery, applicationsQuery } from './features/applications/application.queries.ts'
import { auditFilterNames } from './features/audit-log/audit-log.search.ts'
import { buildListSearch } from './features/builds/build-list.search.ts'
import { releaseListSearch } from './features/releases/list/release-list.search.ts'
import { consolePath, removePrivateQueries } from './features/session/enter-console.ts'
import { insightsSearch } from './features/statistics/insights.search.ts'
import { NotFoundPage, UnknownAddressPage } from './frame/not-found-page.tsx'
import { PageFailure } from './frame/page-failure.tsx'
import { PageSkeleton } from './frame/page-skeleton.tsx'

type Context = { queryClient: QueryClient }

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: UnknownAddressPage,
})

const signInSearch = texts('next', 'link', 'error')

/** Every page for people who are not signed in. */
const outside = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: signInSearch,
    beforeLoad: async ({ context: { queryClient }, search: { next, link } }) => {
      const known = queryClient.getQueryState(sessionQuery.queryKey)
      const isKnownSignedOut = known?.status === 'error' && Date.now() - known.errorUpdatedAt < 5_000
      if (link !== undefined || isKnownSignedOut) return
      const isSignedIn = await queryClient.query({ ...sessionQuery, staleTime: 0 }).then(
        () => true,
        () => false,
      )
      if (isSignedIn) redirect({ href: consolePath(next), throw: true })
    },
    component: lazyRouteComponent(() => import('./features/session/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/two-factor',
    validateSearch: texts('next'),
    component: lazyRouteComponent(() => import('./features/session/two-factor-page.tsx'), 'TwoFactorPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyRouteComponent(
      () => import('./features/session/forgot-password-page.tsx'),
      'ForgotPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    validateSearch: texts('token', 'error'),
    component: lazyRouteComponent(
      () => import('./features/session/reset-password-page.tsx'),
      'ResetPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/setup',
    validateSearch: texts('token'),
    component: lazyRouteComponent(() => import('./features/session/setup-page.tsx'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitations/$token',
    component: lazyRouteComponent(() => import('./features/session/invitation-page.tsx'), 'InvitationPage'),
  }),
] as const

/** The frame with the sidebar. Sends people who are not signed in to the sign-in page and back afterwards. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'console',
  component: lazyRouteComponent(() => import('./frame/app-frame.tsx'), 'AppFrame'),
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      await queryClient.query({ ...sessionQuery, staleTime: 'static' })
    } catch (error) {
      if (!(error instanceof QuaysideError) || error.status !== 401) throw error
      const next = location.href === '/' ? undefined : location.href
      redirect({ to: '/sign-in', search: { next }, throw: true })
    }
  },
  loader: ({ context: { queryClient } }) => queryClient.query({ ...applicationsQuery, staleTime: 'static' }),
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyRouteComponent(() => import('./features/home/home-page.tsx'), 'HomePage'),
})

const upload = createRoute({
  getParentRoute: () => inside,
  path: '/upload',
  validateSearch: texts('application'),
  component: lazyRouteComponent(() => import('./features/uploads/upload-page.tsx'), 'UploadPage'),
})

const newApplication = createRoute({
  getParentRoute: () => inside,
  path: '/applications/new',
  component: lazyRouteComponent(
    () => import('./features/applications/new-application-page.tsx'),
    'NewApplicationPage',
  ),
})

/** The header of an application with its tabs. */
const application = createRoute({
  getParentRoute: () => inside,
  path: '/applications/$applicationId',
  component: lazyRouteComponent(
    () => import('./features/applications/application-layout.tsx'),
    'ApplicationLayout',
  ),
  loader: ({ context: { queryClient }, params: { applicationId } }) =>
    queryClient.query({ ...applicationQuery(applicationId), staleTime: 'static' }),
})

const applicationPages = [
  createRoute({
    getParentRoute: () => application,
    path: '/',
    validateSearch: buildListSearch,
    component: lazyRouteComponent(() => import('./features/builds/build-list-page.tsx'), 'BuildListPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/builds/$buildId',
    validateSearch: texts('tab', 'with'),
    component: lazyRouteComponent(() => import('./features/builds/build-page.tsx'), 'BuildPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/releases',
    validateSearch: releaseListSearch,
    component: lazyRouteComponent(
      () => import('./features/releases/release-list-page.tsx'),
      'ReleaseListPage',
    ),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/releases/new',
    validateSearch: texts('builds'),
    component: lazyRouteComponent(() => import('./features/releases/new-release-page.tsx'), 'NewReleasePage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/releases/$releaseId',
    validateSearch: texts('tab'),
    component: lazyRouteComponent(() => import('./features/releases/release-page.tsx'), 'ReleasePage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/streams',
    validateSearch: texts('stream'),
    component: lazyRouteComponent(() => import('./features/streams/stream-list-page.tsx'), 'StreamListPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/webhooks',
    component: lazyRouteComponent(
      () => import('./features/webhooks/webhook-list-page.tsx'),
      'WebhookListPage',
    ),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/webhooks/$webhookId',
    validateSearch: texts('request', 'state', 'event'),
    component: lazyRouteComponent(() => import('./features/webhooks/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/insights',
    validateSearch: insightsSearch,
    component: lazyRouteComponent(() => import('./features/statistics/insights-page.tsx'), 'InsightsPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/activity',
    validateSearch: texts('subject', 'action', 'actor', 'after', 'before'),
    component: lazyRouteComponent(() => import('./features/activity/activity-page.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/settings',
    validateSearch: texts('section'),
    component: lazyRouteComponent(
      () => import('./features/applications/application-settings-page.tsx'),
      'ApplicationSettingsPage',
    ),
  }),
] as const

const workspacePages = [
  createRoute({
    getParentRoute: () => inside,
    path: '/portals',
    component: lazyRouteComponent(() => import('./features/portals/portal-list-page.tsx'), 'PortalListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/portals/$portalId/edit',
    component: lazyRouteComponent(() => import('./features/portals/portal-page.tsx'), 'PortalPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/groups',
    component: lazyRouteComponent(() => import('./features/groups/group-list-page.tsx'), 'GroupListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/groups/$groupId',
    validateSearch: texts('tab'),
    component: lazyRouteComponent(() => import('./features/groups/group-page.tsx'), 'GroupPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/settings',
    validateSearch: texts('section', 'state', 'page', ...auditFilterNames),
    component: lazyRouteComponent(() => import('./features/settings/settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account',
    validateSearch: texts('section'),
    component: lazyRouteComponent(() => import('./features/account/account-page.tsx'), 'AccountPage'),
  }),
] as const

const routes = root.addChildren([
  ...outside,
  inside.addChildren([
    home,
    upload,
    newApplication,
    application.addChildren([...applicationPages]),
    ...workspacePages,
  ]),
])

/**
 * Creates the router of the console. Every URL of the console is in this file. `history` takes the place of the history of
 * the browser.
 */
export function createConsoleRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree: routes,
    basepath: basePath === '' ? '/' : basePath,
    context: { queryClient },
    ...(history === undefined ? { scrollRestoration: true } : { history, isServer: true }),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: PageFailure,
    defaultPendingComponent: PageSkeleton,
  })
}

/** Opens the sign-in page after the session has ended. Signing in leads back to the page that is open now. */
export function leaveConsole(router: ReturnType<typeof createConsoleRouter>): void {
  const { href, pathname } = router.latestLocation
  const isInside = router.state.matches.some(({ routeId }) => routeId === inside.id)
  if (!isInside || pathname === '/sign-in') return
  const next = href === '/' ? undefined : href
  void router
    .navigate({ to: '/sign-in', search: { next, error: 'session_ended' }, replace: true })
    .then(() => removePrivateQueries(router.options.context.queryClient))
}
