import { notFound, problem } from '../../lib/problem.ts'
import { scopesOfApplicationRole, type ApplicationRole, type WorkspaceRole } from './roles.ts'
import {
  scopesOf,
  workspaceEquivalent,
  type ApplicationScope,
  type KeyKind,
  type Scope,
  type WorkspaceScope,
} from './scopes.ts'

/** The authenticated caller: an API key or the session of a signed-in user, with its granted and implied scopes. */
export type Actor = {
  via: 'api-key' | 'bootstrap-key' | 'session'
  /** Whether `scopes` are workspace scopes or application scopes. */
  kind: KeyKind
  /** The ID of the API key or of the user; null for the bootstrap key. */
  id: string | null
  name: string
  workspaceId: string
  /** The applications that the caller can access; null for every application of the workspace. */
  applicationIds: ReadonlySet<string> | null
  scopes: ReadonlySet<Scope>
  /** The time at which the key or session expires; null if it never expires. */
  expiresAt: Date | null
  /**
   * The latest allowed expiry of keys, trusted publishers, share links and invitations that the caller creates; null if
   * there is no limit. This is the expiry of the key. For a key issued through trusted publishers, it is the expiry of
   * those publishers, because links may outlive the key of a CI run. A session has no limit, because the role of the
   * user is the limit.
   */
  grantsUntil: Date | null
  /** The user of the session, or the user who created the key, directly or through other keys; null if there is none. */
  userId: string | null
  /** Whether the caller can grant and revoke the owner role if it has every workspace scope. */
  canGrantOwner: boolean
  /** Set for a session. */
  session: Session | null
}

export type Session = {
  id: string
  role: WorkspaceRole
  /** The roles of a member in applications; null for owners and admins, who can access every application. */
  applicationRoles: ReadonlyMap<string, ApplicationRole> | null
}

/**
 * The scope that an endpoint requires of each kind of key; null if any key of that kind is allowed. Without
 * `application`, application keys cannot use the endpoint, regardless of their scopes.
 */
export type ScopeRule = {
  workspace: WorkspaceScope | null
  application?: ApplicationScope | null
  /** Set if only signed-in users can use the endpoint. */
  session?: 'required'
}

/** Identifies the caller in limits and in stored responses. */
export const callerId = ({ id, via, workspaceId }: Pick<Actor, 'id' | 'via' | 'workspaceId'>): string =>
  id ?? `${via} ${workspaceId}`

/** Returns the ID of the API key, or null if the caller is not an API key with an ID. */
export const apiKeyId = ({ via, id }: Pick<Actor, 'via' | 'id'>): string | null =>
  via === 'api-key' ? id : null

/** Returns whether the caller can access the application. */
export const canReach = ({ applicationIds }: Pick<Actor, 'applicationIds'>, applicationId: string): boolean =>
  applicationIds === null || applicationIds.has(applicationId)

/** Returns the application that the caller means if it names none: the only one that it can access. */
export function onlyApplicationId({ applicationIds }: Pick<Actor, 'applicationIds'>): string | null {
  const [first = null, second] = applicationIds ?? []
  return second === undefined ? first : null
}

/**
 * Returns whether the caller has every scope at the given level: every workspace scope, or every scope in the
 * applications that it can access.
 */
export function holdsEveryScope({ kind, scopes }: Actor, level: KeyKind): boolean {
  if (kind === 'application' && level === 'workspace') return false
  return scopesOf(level).every((scope) => scopes.has(kind === level ? scope : workspaceEquivalent(scope)))
}

/** Throws `forbidden` unless the caller has the scope that the rule requires. */
export function requireScope(actor: Actor, rule: ScopeRule): void {
  if (rule.session === 'required' && actor.session === null) throw keyNotAllowed()
  if (actor.kind === 'workspace') return checkScope(actor, rule.workspace)
  if (rule.application !== undefined) return checkScope(actor, rule.application)
  throw scopeMissing({ scope: rule.workspace ?? 'workspace:read' })
}

/**
 * Returns the caller with the scopes and applications that apply to a request. A member of the workspace acts with the
 * role in the application of the path, or in every application in which the role includes the required scope. Throws
 * `forbidden` unless the caller has the scope that the rule requires, and 404 if a member was not added to the
 * application of the path.
 */
export function narrowToRequest(actor: Actor, rule: ScopeRule, applicationId: string | undefined): Actor {
  const roles = actor.session?.applicationRoles
  const narrowed = roles ? memberFor(actor, roles, rule, applicationId) : actor
  requireScope(narrowed, rule)
  return narrowed
}

/** Returns the member with the scopes of the roles that apply to the request. */
function memberFor(
  actor: Actor,
  roles: ReadonlyMap<string, ApplicationRole>,
  { application: needed }: ScopeRule,
  applicationId: string | undefined,
): Actor {
  if (applicationId !== undefined) {
    const role = roles.get(applicationId)
    if (role === undefined) throw notFound()
    const applicationIds = new Set([applicationId])
    return { ...actor, kind: 'application', applicationIds, scopes: scopesOfApplicationRole(role) }
  }
  if (needed === undefined) return actor
  if (needed === null) return { ...actor, kind: 'application' }
  const reached = [...roles].filter(([, role]) => scopesOfApplicationRole(role).has(needed))
  const [first = new Set<Scope>(), ...others] = reached.map(([, role]) => scopesOfApplicationRole(role))
  return {
    ...actor,
    kind: 'application',
    applicationIds: new Set(reached.map(([id]) => id)),
    scopes: others.reduce((common, scopes) => common.intersection(scopes), first),
  }
}

/** Returns whether two callers have the same scopes in the same applications. */
export const hasSameAccess = (one: Actor, other: Actor): boolean =>
  one.workspaceId === other.workspaceId &&
  one.kind === other.kind &&
  isSameSet(one.scopes, other.scopes) &&
  hasSameRoles(one, other) &&
  (one.applicationIds === null || other.applicationIds === null
    ? one.applicationIds === other.applicationIds
    : isSameSet(one.applicationIds, other.applicationIds))

/** Compares the roles of a member. `scopes` contains only the scopes that all of these roles have. */
const hasSameRoles = (one: Actor, other: Actor): boolean =>
  [...(one.applicationIds ?? [])].every(
    (id) => one.session?.applicationRoles?.get(id) === other.session?.applicationRoles?.get(id),
  )

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other)

function checkScope(actor: Actor, scope: Scope | null): void {
  if (scope !== null && !actor.scopes.has(scope)) throw scopeMissing({ scope })
}

export const scopeMissing = problem('forbidden', 'scope.missing', "This action requires '{scope}' scope.")

const keyNotAllowed = problem(
  'forbidden',
  'key.not_allowed',
  'API keys cannot use this endpoint. Sign in to the console.',
)

export const noWorkspace = problem(
  'forbidden',
  'session.no_workspace',
  'You do not belong to any workspace. Ask an owner or admin of a workspace for an invitation.',
)

/** The errors of every endpoint that requires a caller, in addition to those of authentication. */
export const actorProblems = [scopeMissing, keyNotAllowed, noWorkspace]
