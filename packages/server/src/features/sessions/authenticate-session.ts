import type { IncomingHttpHeaders } from 'node:http'
import type { Deps } from '../../deps.ts'
import { noWorkspace, type Actor } from '../../http/endpoint/actor.ts'
import { isPrivilegedRole, scopesOfWorkspaceRole } from '../../http/endpoint/roles.ts'
import { batched } from '../../lib/batched.ts'
import { findValidSessions, type SessionRow } from './session.db.ts'

/**
 * How long sessions, and tokens without a session, are cached. Every node must reject a revoked session within one
 * second. Half of that second is reserved for requests in progress.
 */
export const sessionCacheMs = 500
const maxCachedSessions = 10_000

type Options = Pick<Deps, 'db' | 'clock' | 'sessionCookie'>

/**
 * Creates a function that resolves a session cookie to the signed-in user, or to undefined if there is no valid session.
 * It throws `session.no_workspace` if the user does not belong to any workspace.
 */
export function createAuthenticateSession({ db, clock, sessionCookie }: Options) {
  const cache = new Map<string, { row: Promise<SessionRow | undefined>; untilMs: number }>()
  const find = batched({
    maxBatch: 500,
    maxConcurrency: 2,
    load: async (tokens: string[]) => {
      const rows = await findValidSessions(db, tokens)
      const byToken = new Map(rows.map((row) => [row.token, row]))
      return tokens.map((token) => byToken.get(token))
    },
  })

  async function findCached(token: string): Promise<SessionRow | undefined> {
    // Uses the monotonic clock, because setting the wall clock back would extend the lifetime of the cache entries.
    const nowMs = clock.monotonicMs()
    let entry = cache.get(token)
    if (entry === undefined || entry.untilMs <= nowMs) {
      entry = { row: find(token), untilMs: nowMs + sessionCacheMs }
      if (cache.size >= maxCachedSessions) cache.clear()
      cache.set(token, entry)
    }
    try {
      return await entry.row
    } catch (error) {
      cache.delete(token)
      throw error
    }
  }

  return async (headers: IncomingHttpHeaders): Promise<Actor | undefined> => {
    const token = sessionCookie.readSessionToken(headers)
    const row = token === undefined ? undefined : await findCached(token)
    if (row === undefined || new Date(row.expires_at) <= clock.now()) return undefined
    return actorOf(row)
  }
}

function actorOf({ id, user_id: userId, workspace_id, name, role, ...row }: SessionRow): Actor {
  if (workspace_id === null || role === null) throw noWorkspace()
  const applicationRoles = isPrivilegedRole(role)
    ? null
    : new Map(Object.entries(row.application_roles ?? {}))
  return {
    via: 'session',
    kind: 'workspace',
    id: userId,
    name: name ?? '',
    workspaceId: workspace_id,
    applicationIds: applicationRoles === null ? null : new Set(applicationRoles.keys()),
    scopes: scopesOfWorkspaceRole(role),
    expiresAt: new Date(row.expires_at),
    grantsUntil: null,
    userId,
    canGrantOwner: role === 'owner',
    session: { id, role, applicationRoles },
  }
}
