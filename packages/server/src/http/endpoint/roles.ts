import {
  applicationScopes,
  expandScopes,
  workspaceScopes,
  type ApplicationScope,
  type KeyKind,
  type Scope,
  type WorkspaceScope,
} from './scopes.ts'

export const workspaceRoles = ['owner', 'admin', 'member'] as const
export const applicationRoles = ['admin', 'developer', 'qa', 'readonly'] as const

export type WorkspaceRole = (typeof workspaceRoles)[number]
export type ApplicationRole = (typeof applicationRoles)[number]

/** The scopes of each workspace role. Members have more scopes in the applications to which they were added. */
const workspaceGrants: Record<WorkspaceRole, readonly WorkspaceScope[]> = {
  owner: workspaceScopes,
  admin: workspaceScopes,
  member: ['workspace:read', 'members:read'],
}

/** The scopes of each role in an application. Owners and admins of the workspace do not need one. */
const applicationGrants: Record<ApplicationRole, readonly ApplicationScope[]> = {
  admin: applicationScopes,
  developer: [
    'application:read',
    'members:read',
    'builds:write',
    'releases:write',
    'share_links:write',
    'webhooks:write',
  ],
  qa: [
    'application:read',
    'members:read',
    'builds:write',
    'releases:read',
    'share_links:create',
    'webhooks:read',
  ],
  readonly: [
    'application:read',
    'members:read',
    'builds:read',
    'releases:read',
    'share_links:read',
    'webhooks:read',
  ],
}

const expandAll = (
  kind: KeyKind,
  grants: Record<string, readonly Scope[]>,
): ReadonlyMap<string, ReadonlySet<Scope>> =>
  new Map(Object.entries(grants).map(([role, scopes]) => [role, expandScopes(kind, scopes)]))

const workspaceRoleScopes = expandAll('workspace', workspaceGrants)
const applicationRoleScopes = expandAll('application', applicationGrants)
const none: ReadonlySet<Scope> = new Set()

/** Returns the workspace scopes of a workspace role, including implied scopes. */
export const scopesOfWorkspaceRole = (role: WorkspaceRole): ReadonlySet<Scope> =>
  workspaceRoleScopes.get(role) ?? none

/** Returns the application scopes of a role in an application, including implied scopes. */
export const scopesOfApplicationRole = (role: ApplicationRole): ReadonlySet<Scope> =>
  applicationRoleScopes.get(role) ?? none

/** Returns whether the workspace role includes every scope in the workspace and its applications. */
export const isPrivilegedRole = (role: WorkspaceRole): boolean => role !== 'member'
