import type { Tx } from '../database/transaction.ts'
import { apiKeyId, type Actor } from '../http/endpoint/actor.ts'
import { unauthorized } from '../http/wire/errors.ts'
import { problem } from '../lib/problem.ts'

/**
 * Prevents the caller's key or session from being revoked, and the role of the user from changing, until the end of the
 * transaction. Throws 401 if the key or session has already been revoked. Without this check, a caller could still
 * create resources for up to half a second after a revocation, because nodes cache valid keys and sessions.
 */
export async function requireUnrevokedCaller(tx: Tx, actor: Actor): Promise<void> {
  const keyId = apiKeyId(actor)
  if (keyId !== null) await requireUnrevokedKey(tx, keyId)
  if (actor.session !== null) await requireCurrentSession(tx, actor.session, actor)
}

async function requireUnrevokedKey(tx: Tx, id: string): Promise<void> {
  await tx
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirstOrThrow(() => unauthorized())
}

async function requireCurrentSession(
  tx: Tx,
  { id, role }: NonNullable<Actor['session']>,
  { userId, workspaceId }: Actor,
): Promise<void> {
  await tx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => unauthorized())
  const member = await tx
    .selectFrom('workspace_members')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst()
  if (member?.role !== role) throw roleChanged()
}

export const roleChanged = problem(
  'conflict',
  'session.role_changed',
  'Your role has just changed. Reload the page and try again.',
)
