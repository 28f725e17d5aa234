const levels = ['read', 'create', 'write'] as const
type Level = (typeof levels)[number]

// The scopes in section 5 of the contract, plus `workspace:write`, `members:write` and `api_keys:*` for additional
// endpoints.
const workspaceResources = {
  workspace: ['read', 'write'],
  members: ['read', 'write'],
  applications: ['read', 'create', 'write'],
  builds: ['read', 'create', 'write'],
  releases: ['read', 'create', 'write'],
  share_links: ['read', 'create', 'write'],
  distribution_groups: ['read', 'create', 'write'],
  portals: ['read', 'write'],
  webhooks: ['read', 'create', 'write'],
  api_keys: ['read', 'create', 'write'],
} as const

const applicationResources = {
  application: ['read', 'write'],
  members: ['read', 'create', 'write'],
  builds: ['read', 'create', 'write'],
  releases: ['read', 'create', 'write'],
  share_links: ['read', 'create', 'write'],
  webhooks: ['read', 'create', 'write'],
} as const

type ScopeOf<R extends Record<string, readonly Level[]>> = {
  [K in keyof R & string]: `${K}:${R[K][number]}`
}[keyof R & string]

export type WorkspaceScope = ScopeOf<typeof workspaceResources>
export type ApplicationScope = ScopeOf<typeof applicationResources>
export type Scope = WorkspaceScope | ApplicationScope
export type KeyKind = 'workspace' | 'application'

function listScopes<S extends Scope>(resources: Record<string, readonly Level[]>): S[] {
  return Object.entries(resources).flatMap(([resource, allowed]) =>
    allowed.map((level) => `${resource}:${level}` as S),
  )
}

export const workspaceScopes = listScopes<WorkspaceScope>(workspaceResources)
export const applicationScopes = listScopes<ApplicationScope>(applicationResources)

export const scopesOf = (kind: KeyKind): readonly Scope[] =>
  kind === 'workspace' ? workspaceScopes : applicationScopes

/** Returns the scope that a workspace key must have to grant this scope to an application key or role. */
export function workspaceEquivalent(scope: Scope): Scope {
  if (scope === 'members:create') return 'members:write'
  return (scope.startsWith('application:') ? scope.replace('application:', 'applications:') : scope) as Scope
}

/** Returns the granted scopes and the scopes that they imply: write implies create, and create implies read. */
export function expandScopes(kind: KeyKind, granted: readonly string[]): Set<Scope> {
  const rank = new Map<string, number>()
  for (const scope of granted) {
    const [resource = '', level] = scope.split(':')
    rank.set(resource, Math.max(rank.get(resource) ?? -1, levels.indexOf(level as Level)))
  }
  return new Set(
    scopesOf(kind).filter((scope) => {
      const [resource = '', level] = scope.split(':')
      return levels.indexOf(level as Level) <= (rank.get(resource) ?? -1)
    }),
  )
}
