import { Problem } from '../lib/problem.ts'
import {
  scopesOf,
  workspaceEquivalent,
  type ApplicationScope,
  type KeyKind,
  type Scope,
  type WorkspaceScope,
} from './scopes.ts'

/** The authenticated caller: an API key with its granted and implied scopes. */
export type Actor = {
  via: 'api-key' | 'bootstrap-key'
  kind: KeyKind
  keyId: string | null
  name: string
  workspaceId: string
  /** The application that an application key belongs to; null for a workspace key. */
  applicationId: string | null
  scopes: ReadonlySet<Scope>
  /** The time at which the key expires; null if it never expires. */
  expiresAt: Date | null
  /**
   * The latest allowed expiry of keys, trusted publishers, share links and invitations that the caller creates; null if
   * there is no limit. This is the expiry of the key. For a key issued through trusted publishers, it is the expiry of
   * those publishers, because links may outlive the key of a CI run.
   */
  grantsUntil: Date | null
}

/**
 * The scope that an endpoint requires of each kind of key; null if any key of that kind is allowed. Without
 * `application`, application keys cannot use the endpoint, regardless of their scopes.
 */
export type ScopeRule = {
  workspace: WorkspaceScope | null
  application?: ApplicationScope | null
}

/**
 * Returns whether the caller has every scope at the given level: every workspace scope, or every scope in the
 * applications that it can access.
 */
export function holdsEveryScope({ kind, scopes }: Actor, level: KeyKind): boolean {
  if (kind === 'application' && level === 'workspace') return false
  return scopesOf(level).every((scope) => scopes.has(kind === level ? scope : workspaceEquivalent(scope)))
}

/** Throws `forbidden` unless the caller's key has the scope that the rule requires. */
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
