import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  type RouterHistory,
} from '@tanstack/react-router'
import { requireScope, requireScopeSomewhere } from './api/access.ts'
import { basePath } from './api/client.ts'
import { texts } from './api/search-params.ts'
import { applicationQuery, applicationsQuery } from './features/applications/application.queries.ts'
import { auditFilterNames } from './features/audit-log/audit-log.search.ts'
import { buildListSearch } from './features/builds/list/build-list.search.ts'
import { channelSearch } from './features/channels/channel.search.ts'
import { downloadsSearch } from './features/downloads/downloads.search.ts'
import { pinsQuery } from './features/pins/pin.queries.ts'
import { releaseListSearch } from './features/releases/list/release-list.search.ts'
import { requireSignIn, skipIfSignedIn } from './features/session/enter-console.ts'
import { insightsSearch } from './features/statistics/insights.search.ts'
import { NotFoundPage, UnknownAddressPage } from './frame/not-found-page.tsx'
import { PageFailure } from './frame/page-failure.tsx'
import { PageSkeleton } from './frame/page-skeleton.tsx'
import { newReleaseSearch, signInSearch, tabSearch, uploadSearch, webhookSearch } from './route-search.ts'
import { lazyPage } from './ui/loading/lazy.tsx'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: UnknownAddressPage,
})

/** Every page for people who are not signed in. */
const outside = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: signInSearch,
    beforeLoad: skipIfSignedIn,
    component: lazyPage(() => import('./features/session/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/two-factor',
    validateSearch: texts('next'),
    component: lazyPage(() => import('./features/session/two-factor-page.tsx'), 'TwoFactorPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyPage(() => import('./features/session/forgot-password-page.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    validateSearch: texts('token', 'error'),
    component: lazyPage(() => import('./features/session/reset-password-page.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/setup',
    validateSearch: texts('token'),
    component: lazyPage(() => import('./features/session/setup-page.tsx'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitations/$token',
    component: lazyPage(() => import('./features/session/invitation-page.tsx'), 'InvitationPage'),
  }),
] as const

/** The frame with the sidebar. Sends people who are not signed in to the sign-in page and back afterwards. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'console',
  component: lazyPage(() => import('./frame/app-frame.tsx'), 'AppFrame'),
  beforeLoad: requireSignIn,
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.query({ ...applicationsQuery, staleTime: 'static' }),
      queryClient.query({ ...pinsQuery, staleTime: 'static' }),
    ]),
})

/** The header of an application with its tabs. */
const application = createRoute({
  getParentRoute: () => inside,
  path: '/applications/$applicationId',
  beforeLoad: (at) => requireScope(at, 'application:read'),
  component: lazyPage(() => import('./features/applications/application-layout.tsx'), 'ApplicationLayout'),
  loader: ({ context: { queryClient }, params: { applicationId } }) =>
    queryClient.query({ ...applicationQuery(applicationId), staleTime: 'static' }),
})

const applicationPages = [
  createRoute({
    getParentRoute: () => application,
    path: '/',
    validateSearch: buildListSearch,
    component: lazyPage(() => import('./features/builds/list/build-list-page.tsx'), 'BuildListPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/views/$viewId',
    validateSearch: buildListSearch,
    component: lazyPage(() => import('./features/builds/views/saved-view-page.tsx'), 'SavedViewPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/builds/$buildId',
    validateSearch: texts('tab', 'with'),
    component: lazyPage(() => import('./features/builds/build-page.tsx'), 'BuildPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/releases',
    validateSearch: releaseListSearch,
    beforeLoad: (at) => requireScope(at, 'releases:read'),
    component: lazyPage(() => import('./features/releases/release-list-page.tsx'), 'ReleaseListPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/releases/new',
    validateSearch: newReleaseSearch,
    beforeLoad: (at) => requireScope(at, 'releases:create'),
    component: lazyPage(() => import('./features/releases/new-release-page.tsx'), 'NewReleasePage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/releases/$releaseId',
    validateSearch: tabSearch,
    beforeLoad: (at) => requireScope(at, 'releases:read'),
    component: lazyPage(() => import('./features/releases/release-page.tsx'), 'ReleasePage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/streams',
    validateSearch: texts('stream'),
    component: lazyPage(() => import('./features/streams/stream-list-page.tsx'), 'StreamListPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/distribute',
    component: lazyPage(() => import('./features/channels/channel-list-page.tsx'), 'ChannelListPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/distribute/$channelId',
    validateSearch: channelSearch,
    component: lazyPage(() => import('./features/channels/channel-page.tsx'), 'ChannelPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/webhooks',
    beforeLoad: (at) => requireScope(at, 'webhooks:read'),
    component: lazyPage(() => import('./features/webhooks/webhook-list-page.tsx'), 'WebhookListPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/webhooks/$webhookId',
    validateSearch: webhookSearch,
    beforeLoad: (at) => requireScope(at, 'webhooks:read'),
    component: lazyPage(() => import('./features/webhooks/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/insights',
    validateSearch: insightsSearch,
    beforeLoad: (at) => requireScope(at, 'builds:read'),
    component: lazyPage(() => import('./features/statistics/insights-page.tsx'), 'InsightsPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/downloads',
    validateSearch: downloadsSearch,
    beforeLoad: (at) => requireScope(at, 'builds:read'),
    component: lazyPage(() => import('./features/downloads/downloads-page.tsx'), 'DownloadsPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/feedback',
    validateSearch: texts('state', 'rating', 'q', 'id'),
    beforeLoad: (at) => requireScope(at, 'builds:read'),
    component: lazyPage(() => import('./features/feedback/feedback-page.tsx'), 'FeedbackPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/activity',
    validateSearch: texts('subject', 'action', 'actor', 'after', 'before'),
    component: lazyPage(() => import('./features/activity/activity-page.tsx'), 'ActivityPage'),
  }),
  createRoute({
    getParentRoute: () => application,
    path: '/settings',
    validateSearch: texts('section'),
    component: lazyPage(
      () => import('./features/applications/application-settings-page.tsx'),
      'ApplicationSettingsPage',
    ),
  }),
] as const

const workspacePages = [
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    component: lazyPage(() => import('./features/home/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/inbox',
    validateSearch: texts('show'),
    component: lazyPage(() => import('./features/notifications/inbox-page.tsx'), 'InboxPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/upload',
    validateSearch: uploadSearch,
    beforeLoad: (at) => requireScopeSomewhere(at, 'builds:create'),
    component: lazyPage(() => import('./features/uploads/upload-page.tsx'), 'UploadPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/applications/new',
    beforeLoad: (at) => requireScope(at, 'applications:create'),
    component: lazyPage(
      () => import('./features/applications/new-application-page.tsx'),
      'NewApplicationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/portals',
    beforeLoad: (at) => requireScope(at, 'portals:read'),
    component: lazyPage(() => import('./features/portals/portal-list-page.tsx'), 'PortalListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/portals/$portalId/edit',
    beforeLoad: (at) => requireScope(at, 'portals:read'),
    component: lazyPage(() => import('./features/portals/portal-page.tsx'), 'PortalPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/groups',
    beforeLoad: (at) => requireScope(at, 'distribution_groups:read'),
    component: lazyPage(() => import('./features/distribution-groups/group-list-page.tsx'), 'GroupListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/groups/$groupId',
    validateSearch: tabSearch,
    beforeLoad: (at) => requireScope(at, 'distribution_groups:read'),
    component: lazyPage(() => import('./features/distribution-groups/group-page.tsx'), 'GroupPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/teams/$teamId',
    validateSearch: tabSearch,
    beforeLoad: (at) => requireScope(at, 'members:read'),
    component: lazyPage(() => import('./features/members/teams/team-page.tsx'), 'TeamPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/devices',
    beforeLoad: (at) => requireScope(at, 'distribution_groups:read'),
    component: lazyPage(() => import('./features/devices/device-list-page.tsx'), 'DeviceListPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/settings',
    validateSearch: texts('section', 'state', 'page', ...auditFilterNames),
    component: lazyPage(() => import('./features/settings/settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account',
    validateSearch: texts('section'),
    component: lazyPage(() => import('./features/account/account-page.tsx'), 'AccountPage'),
  }),
] as const

const pages = [application.addChildren([...applicationPages]), ...workspacePages] as const
const routes = root.addChildren([...outside, inside.addChildren([...pages])])

/** Creates the router of the console. Every URL is in this file. `history` takes the place of the browser's history. */
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
