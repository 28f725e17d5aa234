import type { QueryKey } from '@tanstack/react-query'

// Every key of the query cache. A key stands for every longer key as well, so that invalidating the builds of an application
// also reloads each of them.

/** What is loaded of an application, and the views of it that have queries of their own. */
type ApplicationNouns = {
  'access-requests': never
  'api-keys': never
  application: never
  builds:
    | 'activity'
    | 'comparison'
    | 'downloads'
    | 'first'
    | 'list'
    | 'one'
    | 'packages'
    | 'palette'
    | 'previous'
    | 'retention'
    | 'search'
    | 'share-links'
    | 'trashed'
  channels: 'list' | 'one'
  'custom-store': never
  'custom-targets': never
  downloads: 'list' | 'totals'
  feedback: 'count' | 'list' | 'one' | 'subscription'
  labels: never
  members: 'names'
  platforms: never
  releases: 'adoption' | 'audience' | 'changes' | 'list' | 'one' | 'options' | 'palette' | 'share-links'
  statistics: number
  streams: never
  teams: never
  'trusted-publishers': never
  uploads: never
  views: 'list' | 'one'
  webhooks: 'list' | 'one' | 'requests' | 'sample'
}

type WorkspaceNouns = {
  'api-keys': 'own'
  attention: never
  'audit-log': 'list' | 'recent'
  'custom-targets': never
  'default-streams': never
  'deleted-applications': never
  devices: 'list' | 'build'
  'distribution-groups': 'list' | 'one'
  'first-steps': never
  invitations: never
  'ios-installation': never
  labels: never
  mails: string
  members: never
  notifications: 'count' | 'list' | 'rules' | 'settings'
  portals: 'list' | 'one'
  'repository-keys': never
  scim: never
  statistics: number
  teams: 'list' | 'one'
  workspace: never
}

export const sessionKey = ['session'] as const
export const applicationsKey = ['applications'] as const
export const applicationListKey = ['applications', 'list'] as const

/** Returns the key of everything of an application, of a noun in it, or of a view of the noun. */
export const applicationKey = <Noun extends keyof ApplicationNouns>(
  applicationId: string,
  ...path: [] | [Noun] | [Noun, ApplicationNouns[Noun], ...unknown[]]
): QueryKey => ['applications', applicationId, ...path]

/** Returns the key of everything of the workspace, of a noun in it, or of a view of the noun. */
export const workspaceKey = <Noun extends keyof WorkspaceNouns>(
  ...path: [] | [Noun] | [Noun, WorkspaceNouns[Noun], ...unknown[]]
): QueryKey => ['workspace', ...path]

export const pinsKey = ['pins'] as const

export const accountKey = (noun: 'passkeys' | 'sessions') => ['account', noun] as const

export const signInKey = (...path: [] | ['methods'] | ['setup-link' | 'invitation', string]) =>
  ['sign-in', ...path] as const

export const artifactContentKey = (artifactId: string) => ['artifact-content', artifactId] as const

/** Matches the queries of a noun in the workspace and in every application. */
export const inEveryOwner =
  (noun: keyof ApplicationNouns & keyof WorkspaceNouns) =>
  ({ queryKey: [owner, ...path] }: { queryKey: QueryKey }): boolean =>
    (owner === 'workspace' ? path[0] : path[1]) === noun
