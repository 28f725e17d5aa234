import { sql } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import { notFound } from '../../../lib/problem.ts'
import { selectIsAllowed } from './visited-portal.db.ts'

export const codeLifeMinutes = 10
const maxGuesses = 5
export const sessionLifeDays = 30

/**
 * How many codes can be requested: for an email address (of any portal) by one client network and by all, by a client
 * network, and for one portal. A stranger who knows an address uses up only the codes of their own network.
 */
const codeLimits = {
  perEmailAndNetwork: 3,
  perEmailNetworkAndDay: 10,
  perEmailAndDay: 100,
  perNetwork: 20,
  perPortalAndHour: 500,
}

/** Locks the portal, so that requests for codes are counted exactly, and returns whether it allows the address. */
export async function lockPortalForCode(tx: Tx, portalId: string, email: string): Promise<boolean> {
  const row = await tx
    .selectFrom('portals')
    .select(selectIsAllowed(sql`${email}::text`).as('is_allowed'))
    .where('id', '=', portalId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
  return row.is_allowed
}

/** Returns the number of seconds until another code can be requested, or 0 if one can be requested now. */
export async function findCodePause(
  db: Executor,
  { portalId, email, network }: { portalId: string; email: string; network: string },
): Promise<number> {
  const limits = [
    { limit: codeLimits.perEmailAndNetwork, of: sql`email = ${email} and network = ${network}`, minutes: 15 },
    {
      limit: codeLimits.perEmailNetworkAndDay,
      of: sql`email = ${email} and network = ${network}`,
      minutes: 24 * 60,
    },
    { limit: codeLimits.perEmailAndDay, of: sql`email = ${email}`, minutes: 24 * 60 },
    { limit: codeLimits.perNetwork, of: sql`network = ${network}`, minutes: 15 },
    { limit: codeLimits.perPortalAndHour, of: sql`portal_id = ${portalId}`, minutes: 60 },
  ]
  // The limit is reached while the request that is `limit` requests back is still within the period.
  const pauses = limits.map(
    ({
      limit,
      of,
      minutes,
    }) => sql`(select extract(epoch from created_at + make_interval(mins => ${minutes}::int) - now())
      from portal_codes where ${of} order by created_at desc offset ${limit - 1}::int limit 1)`,
  )
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(greatest(${sql.join(pauses)}))::int as seconds`.execute(db)
  return Math.max(rows[0]?.seconds ?? 0, 0)
}

type NewCode = {
  id: string
  portal_id: string
  email: string
  code_hash: string
  browser_hash: string
  network: string
}

export async function insertPortalCode(tx: Tx, code: NewCode): Promise<void> {
  await tx
    .insertInto('portal_codes')
    .values({ ...code, expires_at: sql`now() + make_interval(mins => ${codeLifeMinutes}::int)` })
    .execute()
}

/** Whether the browser can still enter a code. */
const isUsable = (portalId: string, browserHash: string) => sql<boolean>`(
  portal_id = ${portalId} and browser_hash = ${browserHash} and code_hash is not null and guess_count < ${maxGuesses}
  and expires_at > now())`

/** Returns the address for which this browser has requested a code that can still be entered. */
export async function findRequestedEmail(db: Executor, portalId: string, browserHash: string) {
  const row = await db
    .selectFrom('portal_codes')
    .select('email')
    .where(isUsable(portalId, browserHash))
    .executeTakeFirst()
  return row?.email
}

/** Counts a guess and returns the code to compare it with; undefined if the browser has no code that can still be entered. */
export async function countCodeGuess(tx: Tx, portalId: string, browserHash: string) {
  return tx
    .updateTable('portal_codes')
    .set((eb) => ({ guess_count: eb('guess_count', '+', 1) }))
    .where(isUsable(portalId, browserHash))
    .returning(['id', 'email', 'code_hash'])
    .executeTakeFirst()
}

/** Deletes a code that was used. The row remains, because it counts as a request. */
export async function removePortalCode(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('portal_codes').set({ code_hash: null }).where('id', '=', id).execute()
}

type NewSession = { token_hash: string; portal_id: string; email: string; host: string }

export async function insertPortalSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('portal_sessions')
    .values({ ...session, expires_at: sql`now() + make_interval(days => ${sessionLifeDays}::int)` })
    .execute()
}

export async function removePortalSession(db: Executor, portalId: string, tokenHash: string): Promise<void> {
  await db
    .deleteFrom('portal_sessions')
    .where('portal_id', '=', portalId)
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Deletes up to `limit` codes that were requested at least `days` days ago; returns the number deleted. */
export async function deleteSomeOldCodes(db: Executor, days: number, limit: number): Promise<number> {
  const result = await sql`
    delete from portal_codes where id in (
      select id from portal_codes where created_at <= now() - make_interval(hours => ${days * 24}::int)
      limit ${limit} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Deletes up to `limit` sessions that expired at least `days` days ago; returns the number deleted. */
export async function deleteSomeOldSessions(db: Executor, days: number, limit: number): Promise<number> {
  const result = await sql`
    delete from portal_sessions where token_hash in (
      select token_hash from portal_sessions where expires_at <= now() - make_interval(hours => ${days * 24}::int)
      limit ${limit} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
