import type { DemoIds } from '../demo/demo-ids.ts'

export type Screen = {
  /** The name of the files in docs/screens. */
  name: string
  /** The path, or the whole URL if it is on another service. */
  path: (ids: DemoIds & { setupUrl: string }) => string
  /** Whether the picture shows what people see who are not signed in. */
  isPublic?: boolean
}

/** The main screens of the console, whose pictures are in docs/screens. */
export const screens: readonly Screen[] = [
  { name: 'home', path: () => '/' },
  { name: 'inbox', path: () => '/inbox' },
  { name: 'builds', path: ({ application }) => `/applications/${application}` },
  { name: 'build', path: ({ application, build }) => `/applications/${application}/builds/${build}` },
  {
    name: 'compare-builds',
    path: ({ application, build }) => `/applications/${application}/builds/${build}?tab=compare`,
  },
  {
    name: 'downloads',
    path: ({ application, build }) => `/applications/${application}/builds/${build}?tab=downloads`,
  },
  { name: 'upload', path: ({ application }) => `/upload?application=${application}` },
  { name: 'releases', path: ({ application }) => `/applications/${application}/releases` },
  { name: 'release', path: ({ application, release }) => `/applications/${application}/releases/${release}` },
  { name: 'new-release', path: ({ application }) => `/applications/${application}/releases/new` },
  { name: 'streams', path: ({ application }) => `/applications/${application}/streams` },
  { name: 'channels', path: ({ application }) => `/applications/${application}/distribute` },
  {
    name: 'webhook',
    path: ({ application, webhook, webhookRequest }) =>
      `/applications/${application}/webhooks/${webhook}?request=${webhookRequest}`,
  },
  { name: 'insights', path: ({ application }) => `/applications/${application}/insights` },
  { name: 'feedback', path: ({ application }) => `/applications/${application}/feedback` },
  { name: 'activity', path: ({ application }) => `/applications/${application}/activity` },
  { name: 'application-settings', path: ({ application }) => `/applications/${application}/settings` },
  { name: 'portal', path: ({ portal }) => `/portals/${portal}/edit` },
  { name: 'group', path: ({ group }) => `/groups/${group}` },
  { name: 'devices', path: () => '/devices' },
  { name: 'team', path: ({ team }) => `/teams/${team}` },
  { name: 'members', path: () => '/settings?section=members' },
  { name: 'api-keys', path: () => '/settings?section=api-keys' },
  { name: 'labels', path: () => '/settings?section=labels' },
  { name: 'audit-log', path: () => '/settings?section=audit-log' },
  { name: 'storage', path: () => '/settings?section=storage' },
  { name: 'account', path: () => '/account' },
  { name: 'notifications', path: () => '/account?section=notifications' },
  { name: 'sign-in', path: () => '/sign-in', isPublic: true },
  { name: 'set-up', path: ({ setupUrl }) => setupUrl, isPublic: true },
  { name: 'share-page', path: ({ shareLink }) => new URL(shareLink).pathname, isPublic: true },
  { name: 'reference', path: () => '/api/v1/docs#createBuildShareLink' },
]
