export type KeyKind = 'workspace' | 'application'
export type ScopeLevel = 'read' | 'create' | 'write'

export type ScopeResource = {
  id: string
  label: string
  /** What each level allows. A level includes the levels before it. */
  levels: Partial<Record<ScopeLevel, string>>
}

const shared: readonly ScopeResource[] = [
  {
    id: 'builds',
    label: 'Builds',
    levels: {
      read: 'List and download builds.',
      create: 'Upload builds, and read them.',
      write: 'Upload, change, move, delete and restore builds.',
    },
  },
  {
    id: 'releases',
    label: 'Releases',
    levels: {
      read: 'List releases.',
      create: 'Create drafts, and read releases.',
      write: 'Create, change, publish, withdraw and delete releases.',
    },
  },
  {
    id: 'share_links',
    label: 'Share links',
    levels: {
      read: 'List share links.',
      create: 'Create share links.',
      write: 'Create, change and delete share links.',
    },
  },
  {
    id: 'webhooks',
    label: 'Webhooks',
    levels: {
      read: 'List webhooks and their deliveries.',
      create: 'Create webhooks.',
      write: 'Create, change, test and delete webhooks, and redeliver.',
    },
  },
]

const workspaceOnly: readonly ScopeResource[] = [
  {
    id: 'applications',
    label: 'Applications',
    levels: {
      read: 'List applications with their streams, labels and custom targets.',
      create: 'Create applications.',
      write: 'Create, change, delete and restore applications, and change their members.',
    },
  },
  {
    id: 'distribution_groups',
    label: 'Distribution groups',
    levels: {
      read: 'List groups, their members and releases.',
      create: 'Create groups.',
      write: 'Create, change and delete groups, and send releases to them.',
    },
  },
  {
    id: 'portals',
    label: 'Portals',
    levels: { read: 'List portals.', write: 'Create, change and delete portals, and publish in them.' },
  },
  {
    id: 'members',
    label: 'Members',
    levels: {
      read: 'List members and invitations, with email addresses.',
      write: 'Invite, change and remove members, and read the outbox.',
    },
  },
  {
    id: 'workspace',
    label: 'Workspace',
    levels: {
      read: 'Read the workspace, its labels, custom targets, default streams and audit log.',
      write: 'Change the workspace, its labels, custom targets and default streams.',
    },
  },
  {
    id: 'api_keys',
    label: 'API keys',
    levels: {
      read: 'List API keys and trusted publishers.',
      create: 'Create API keys and trusted publishers with no more scopes than this key has.',
      write: 'Create and revoke API keys, and create, change and delete trusted publishers.',
    },
  },
]

const applicationOnly: readonly ScopeResource[] = [
  {
    id: 'application',
    label: 'Application',
    levels: {
      read: 'Read the application, its streams, labels and custom targets.',
      write: 'Change the application, its streams, labels and custom targets.',
    },
  },
  {
    id: 'members',
    label: 'Members',
    levels: {
      read: 'List application members, with email addresses.',
      create: 'Reserved for adding members; includes reading them.',
      write: 'Change and remove application members.',
    },
  },
]

/** Every scope that a key of each kind can have, and what it allows. */
export const scopeText: Record<KeyKind, readonly ScopeResource[]> = {
  application: [...shared, ...applicationOnly],
  workspace: [...shared, ...workspaceOnly],
}

export type ScopePreset = {
  id: string
  label: string
  description: string
  scopes: Record<KeyKind, readonly string[]>
}

const readable = (kind: KeyKind) => scopeText[kind].map(({ id }) => `${id}:read`)
const writable = (kind: KeyKind) => scopeText[kind].map(({ id }) => `${id}:write`)

/** Shown for a resource that a key cannot use. */
export const noAccess = 'No access.'

/** Common selections of scopes, from the fewest to all. */
export const scopePresets: readonly ScopePreset[] = [
  {
    id: 'upload',
    label: 'Upload builds',
    description: 'For CI jobs that only upload.',
    scopes: { workspace: ['builds:create'], application: ['builds:create'] },
  },
  {
    id: 'release',
    label: 'Upload and release',
    description: 'For CI jobs that also publish releases and create share links.',
    scopes: {
      workspace: ['builds:create', 'releases:write', 'share_links:create'],
      application: ['builds:create', 'releases:write', 'share_links:create'],
    },
  },
  {
    id: 'read',
    label: 'Read only',
    description: 'For dashboards, mirrors and downloads.',
    scopes: { workspace: readable('workspace'), application: readable('application') },
  },
  {
    id: 'full',
    label: 'Full access',
    description: 'For administration. Anyone with this key can do everything that you can.',
    scopes: { workspace: writable('workspace'), application: writable('application') },
  },
]
