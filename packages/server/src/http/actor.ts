import { Problem } from '../lib/problem.ts'
import {
  scopesOf,
  workspaceEquivalent,
  type ApplicationScope,
  type KeyKind,
  type Scope,
  type WorkspaceScope,
} from './scopes.ts'

/** The caller: an API key with its granted and implied scopes. */
export type Actor = {
  via: 'api-key' | 'bootstrap-key'
  kind: KeyKind
  keyId: string | null
  name: string
  workspaceId: string
  /** The application of an application key; null for a workspace key. */
  applicationId: string | null
  scopes: ReadonlySet<Scope>
  /** Expiry of the key; null = never expires. */
  expiresAt: Date | null
  /**
   * The latest allowed expiry of keys, trusted publishers, share links and invitations that the caller creates; null =
   * no limit. It is the key's expiry. For a key issued by trusted publishers it is the publishers' expiry, because
   * links may outlive the key of a CI run.
   */
  grantsUntil: Date | null
}

/**
 * The scope that an endpoint requires of each kind of key; null = any key of that kind. Without `application`,
 * application keys cannot use the endpoint, regardless of their scopes.
 */
export type ScopeRule = {
  workspace: WorkspaceScope | null
  application?: ApplicationScope | null
}

/**
 * Returns whether the caller holds every scope of the workspace, or every scope of an application that it can access.
 */
export function holdsEveryScope({ kind, scopes }: Actor, level: KeyKind): boolean {
  if (kind === 'application' && level === 'workspace') return false
  return scopesOf(level).every((scope) => scopes.has(kind === level ? scope : workspaceEquivalent(scope)))
}

/** Throws `forbidden` unless the actor's key has the scope that the rule requires. */
export function requireScope(actor: Actor, rule: ScopeRule): void {
  if (actor.kind === 'workspace') return checkScope(actor, rule.workspace)
  if (rule.application !== undefined) return checkScope(actor, rule.application)
  throw scopeProblem(rule.workspace ?? 'workspace:read')
}

function checkScope(actor: Actor, scope: Scope | null): void {
  if (scope !== null && !actor.scopes.has(scope)) throw scopeProblem(scope)
}

function scopeProblem(scope: Scope): Problem {
  return new Problem('forbidden', 'scope.missing', `This action requires '${scope}' scope.`)
}
