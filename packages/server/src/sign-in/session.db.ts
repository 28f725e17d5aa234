import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Executor, Tx } from '../database/transaction.ts'
import { uuidV7 } from '../lib/ids.ts'

type NewSession = {
  userId: string
  workspaceId: string | null
  address: string | null
  userAgent: string | null
  expiresInSeconds: number
}

/** Inserts a session and returns its token. */
export async function insertSession(tx: Tx, session: NewSession): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await tx
    .insertInto('sessions')
    .values({
      id: uuidV7(),
      token,
      user_id: session.userId,
      workspace_id: session.workspaceId,
      ip_address: session.address,
      user_agent: session.userAgent,
      expires_at: sql<string>`now() + make_interval(secs => ${session.expiresInSeconds}::int)`,
    })
    .execute()
  return token
}

/** Returns the session with this token, with its user, unless the session has expired. */
export async function findSession(db: Executor, token: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id', 'users.email'])
    .where('sessions.token', '=', token)
    .where('sessions.expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
}

/** Returns the sessions of a user that have not expired, the most recent first. */
export async function listSessions(db: Executor, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'ip_address', 'user_agent', 'created_at', 'updated_at as last_renewed_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<string>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute()
}

/**
 * Ends one session of the user; returns false if it does not exist. Also ends all links, codes and trusted devices of the
 * user, because a session that was started with a passkey or single sign-on belongs to no trusted device.
 */
export async function deleteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(sql`id::text`, '=', id)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) return false
  await deleteVerificationsOf(tx, userId)
  return true
}

/**
 * Ends all sessions of the user except one, with all links, codes and trusted devices that could start another. Returns
 * the number of ended sessions.
 */
export async function deleteOtherSessions(tx: Tx, userId: string, keptId: string): Promise<number> {
  await deleteVerificationsOf(tx, userId)
  const result = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', keptId)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes up to `limit` sessions that expired at least `days` days ago; returns the number deleted. */
export async function deleteSomeExpiredSessions(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('sessions')
    .select('id')
    .where(sql<boolean>`expires_at <= now() - make_interval(days => ${days}::int)`)
    .limit(limit)
  const result = await db.deleteFrom('sessions').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Ends the links sent by email, the sign-ins that wait for a code, and the trusted devices of the user. */
export async function deleteVerificationsOf(db: Executor, userId: string): Promise<void> {
  await db.deleteFrom('verifications').where('user_id', '=', userId).execute()
}

/** Deletes up to `limit` verifications that expired at least `days` days ago; returns the number deleted. */
export async function deleteSomeExpiredVerifications(
  db: Executor,
  days: number,
  limit: number,
): Promise<number> {
  const some = db
    .selectFrom('verifications')
    .select('id')
    .where(sql<boolean>`expires_at <= now() - make_interval(days => ${days}::int)`)
    .limit(limit)
  const result = await db.deleteFrom('verifications').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Selects the workspace in which the session acts. */
export async function assignSessionWorkspace(db: Executor, id: string, workspaceId: string): Promise<void> {
  await db.updateTable('sessions').set({ workspace_id: workspaceId }).where('id', '=', id).execute()
}
