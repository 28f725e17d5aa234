import { Problem } from '../lib/problem.ts'
import type { ApplicationScope, KeyKind, Scope, WorkspaceScope } from './scopes.ts'

/** Who calls: an API key, with all that its scopes include. */
export type Actor = {
  via: 'api-key' | 'bootstrap-key'
  kind: KeyKind
  keyId: string | null
  name: string
  workspaceId: string
  /** The one application an application key reaches. */
  applicationId: string | null
  scopes: ReadonlySet<Scope>
  /** When the key ends; null = never. */
  expiresAt: Date | null
}

/**
 * What an endpoint asks of each kind of key; null = any key of that kind. Without `application` the endpoint is
 * out of reach for application keys, whatever their scopes.
 */
export type ScopeRule = {
  workspace: WorkspaceScope | null
  application?: ApplicationScope | null
}

export function requireScope(actor: Actor, rule: ScopeRule): void {
  if (actor.kind === 'workspace') return demand(actor, rule.workspace)
  if (rule.application !== undefined) return demand(actor, rule.application)
  throw scopeProblem(rule.workspace ?? 'workspace:read')
}

function demand(actor: Actor, scope: Scope | null): void {
  if (scope !== null && !actor.scopes.has(scope)) throw scopeProblem(scope)
}

function scopeProblem(scope: Scope): Problem {
  return new Problem('forbidden', 'scope.missing', `This action requires '${scope}' scope.`)
}
