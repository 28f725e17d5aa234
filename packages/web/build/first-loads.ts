/**
 * Modules that a page imports when it is rendered, apart from its own. The server lets the browser load them at once.
 */
export type FirstLoad = {
  /** The route. */
  path: string
  /** Search parameters that the URL must have; `none` means that it must have none. */
  search?: 'none' | Readonly<Record<string, string>>
  /** Modules below packages/web/src. */
  modules: readonly string[]
}

const build = '/applications/$applicationId/builds/$buildId'

export const firstLoads: readonly FirstLoad[] = [
  { path: build, search: 'none', modules: ['ui/markdown/markdown.tsx'] },
  { path: build, search: { tab: 'compare' }, modules: ['features/builds/compare/compare.tsx'] },
  { path: build, search: { tab: 'downloads' }, modules: ['features/builds/downloads/downloads.tsx'] },
  { path: '/settings', search: 'none', modules: ['features/workspace/general-section.tsx'] },
  { path: '/settings', search: { section: 'members' }, modules: ['features/members/members-section.tsx'] },
  {
    path: '/settings',
    search: { section: 'storage' },
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
