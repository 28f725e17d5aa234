/**
 * What a page needs first, apart from its own module. The server embeds the responses to these requests in the document
 * and lets the browser load the modules at once. `routes.test.ts` fails if a page does not use one of the responses.
 */
export type FirstLoad = {
  /** The route, or with `/**` at its end every route below it. */
  path: string
  /** Search parameters that the URL must have, `*` for any value; `none` means that it must have none. */
  search?: 'none' | Readonly<Record<string, string>>
  /** URLs of the API. `{name}` stands for a parameter of the route or of the search. */
  requests?: readonly string[]
  /** Modules below packages/web/src that the page imports when it is rendered. */
  modules?: readonly string[]
}

const api = '/api/v1'
const application = `${api}/applications/{applicationId}`
const build = `${application}/builds/{buildId}`
const newest = 'sort_by=created_at&sort=desc'

/** Applies to every page behind sign-in. */
export const insideRequests = [
  `${api}/session`,
  `${api}/applications?sort_by=name&sort=asc&page=1&per_page=100`,
]

export const firstLoads: readonly FirstLoad[] = [
  { path: '/sign-in', search: 'none', requests: [`${api}/session`] },
  { path: '/sign-in', requests: ['/api/auth/methods'] },
  { path: '/setup', requests: ['/api/auth/methods'] },
  {
    path: '/',
    requests: [
      `${api}/workspace/statistics?days=30`,
      `${api}/workspace/attention`,
      `${api}/workspace/audit-log?${newest}&per_page=40`,
    ],
  },
  {
    path: '/upload',
    search: { application: '*' },
    requests: [`${api}/applications/{application}/streams`],
  },
  { path: '/applications/$applicationId/**', requests: [application] },
  {
    path: '/applications/$applicationId',
    requests: [
      `${application}/platforms`,
      `${application}/streams`,
      `${application}/labels`,
      `${application}/custom-targets`,
    ],
  },
  {
    path: '/applications/$applicationId',
    search: 'none',
    requests: [`${application}/builds?${newest}&page=1&per_page=100`],
  },
  {
    path: '/applications/$applicationId/builds/$buildId',
    requests: [build, `${application}/labels`, `${build}/downloads?per_page=1`, `${build}/share-links`],
  },
  {
    path: '/applications/$applicationId/builds/$buildId',
    search: { tab: 'compare' },
    modules: ['features/builds/compare/compare.tsx'],
  },
  {
    path: '/applications/$applicationId/builds/$buildId',
    search: { tab: 'downloads' },
    requests: [`${build}/downloads?sort=desc&page=1&per_page=100`, `${application}/members?per_page=100`],
    modules: ['features/builds/downloads/downloads.tsx'],
  },
  {
    path: '/applications/$applicationId/releases',
    requests: [`${application}/platforms`, `${application}/labels`],
  },
  {
    path: '/applications/$applicationId/releases',
    search: 'none',
    requests: [`${application}/releases?${newest}&page=1&per_page=50`],
  },
  {
    path: '/applications/$applicationId/releases/new',
    search: 'none',
    requests: [`${application}/builds?${newest}&page=1&per_page=100`, `${application}/labels`],
  },
  {
    path: '/applications/$applicationId/releases/$releaseId',
    requests: [`${application}/releases/{releaseId}`, `${application}/releases/{releaseId}/audience`],
  },
  {
    path: '/applications/$applicationId/streams',
    requests: [
      `${api}/workspace/default-streams`,
      `${application}/streams`,
      `${application}/statistics?days=90`,
    ],
  },
  {
    path: '/applications/$applicationId/webhooks',
    requests: [`${application}/webhooks?page=1&per_page=100`],
  },
  {
    path: '/applications/$applicationId/webhooks/$webhookId',
    requests: [`${application}/webhooks/{webhookId}`],
  },
  {
    path: '/applications/$applicationId/webhooks/$webhookId',
    search: 'none',
    requests: [`${application}/webhooks/{webhookId}/requests?sort=desc&page=1&per_page=30`],
  },
  {
    path: '/applications/$applicationId/webhooks/$webhookId',
    search: { request: '*' },
    requests: [`${application}/webhooks/{webhookId}/requests/{request}`],
  },
  {
    path: '/applications/$applicationId/insights',
    search: 'none',
    requests: [`${application}/statistics?days=30`],
  },
  {
    path: '/applications/$applicationId/activity',
    search: 'none',
    requests: [
      `${api}/workspace/audit-log?${newest}&per_page=40`,
      `${api}/workspace/audit-log?${newest}&page=1&per_page=50&application={applicationId}`,
    ],
  },
  { path: '/portals', requests: [`${api}/portals?page=1&per_page=100`] },
  {
    path: '/portals/$portalId/edit',
    requests: [`${api}/portals/{portalId}`, `${api}/portals/{portalId}/releases?page=1&per_page=100`],
  },
  { path: '/groups', requests: [`${api}/distribution-groups?sort_by=name&page=1&per_page=100`] },
  {
    path: '/groups/$groupId',
    requests: [`${api}/distribution-groups/{groupId}`],
  },
  {
    path: '/groups/$groupId',
    search: 'none',
    requests: [`${api}/distribution-groups/{groupId}/members?page=1&per_page=100`],
  },
  { path: '/settings', search: 'none', requests: [`${api}/workspace`] },
  { path: '/settings', search: 'none', modules: ['features/workspace/general-section.tsx'] },
  {
    path: '/settings',
    search: { section: 'members' },
    requests: [
      `${api}/workspace/invitations?page=1&per_page=100`,
      `${api}/workspace/members?page=1&per_page=100`,
    ],
    modules: ['features/members/members-section.tsx'],
  },
  {
    path: '/settings',
    search: { section: 'storage' },
    requests: [`${api}/workspace/statistics?days=90`],
    modules: ['features/workspace/storage-section.tsx'],
  },
  {
    path: '/settings',
    search: { section: 'audit-log' },
    modules: ['features/audit-log/audit-log-section.tsx'],
  },
  {
    path: '/applications/$applicationId/settings',
    search: 'none',
    modules: ['features/applications/application-general-section.tsx'],
  },
]
