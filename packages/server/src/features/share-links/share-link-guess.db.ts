import { sql, type RawBuilder } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'

/** The value of `network` in the row that counts the guesses of all clients. */
export const allNetworks = ''
/**
 * Maximum number of wrong passwords per link per hour. Each time the limit is reached, the pause doubles, up to one
 * day.
 */
export const maxGuesses = 100
/** Maximum number of wrong passwords per link and client network within 15 minutes. */
const maxGuessesPerNetwork = 5

const limitOf = (network: RawBuilder<unknown>) =>
  sql<number>`case ${network} when ${allNetworks} then ${maxGuesses}::int else ${maxGuessesPerNetwork}::int end`

/** Returns the number of seconds until a guess from these networks is allowed, or undefined if it is allowed now. */
export async function findGuessPause(
  db: Executor,
  linkId: string,
  networks: string[],
): Promise<number | undefined> {
  const row = await db
    .selectFrom('share_link_guesses')
    .select(sql<number | null>`ceil(extract(epoch from max(ends_at) - now()))::int`.as('seconds'))
    .where('share_link_id', '=', linkId)
    .where(sql<boolean>`network = any(${networks}::text[])`)
    .where('ends_at', '>', sql<string>`now()`)
    .where(sql<boolean>`guess_count >= ${limitOf(sql`network`)}`)
    .executeTakeFirst()
  return row?.seconds ?? undefined
}

/**
 * Counts a guess for each of these networks and returns the new counts, except for networks that have reached their
 * limit. If a network is missing from the result, the caller must roll back. The row locks keep the counts exact.
 */
export async function countGuess(tx: Tx, linkId: string, networks: string[]) {
  const { rows } = await sql<{ network: string; guess_count: number }>`
    insert into share_link_guesses as guesses (share_link_id, network, guess_count, ends_at)
    select ${linkId}, network, 1,
      now() + case network when ${allNetworks} then interval '1 hour' else interval '15 minutes' end
    from unnest(${networks}::text[]) as network order by network
    on conflict (share_link_id, network) do update set
      guess_count = case when guesses.ends_at <= now() then 1 else guesses.guess_count + 1 end,
      pause_count = case
        when guesses.ends_at > now() then guesses.pause_count
        when guesses.guess_count < ${maxGuesses}::int or guesses.ends_at < now() - interval '1 day' then 0
        else guesses.pause_count end,
      ends_at = case when guesses.ends_at <= now() then excluded.ends_at else guesses.ends_at end
    where guesses.ends_at <= now() or guesses.guess_count < ${limitOf(sql`guesses.network`)}
    returning network, guess_count`.execute(tx)
  return rows
}

/** Reverts the count of a guess that was correct or could not be checked. */
export async function uncountGuess(db: Executor, linkId: string, networks: string[]): Promise<void> {
  await db
    .updateTable('share_link_guesses')
    .set((eb) => ({ guess_count: sql<number>`greatest(${eb.ref('guess_count')} - 1, 0)` }))
    .where('share_link_id', '=', linkId)
    .where(sql<boolean>`network = any(${networks}::text[])`)
    .execute()
}

/**
 * Pauses guesses for a link and returns the time when the pause ends, or undefined if the link is no longer at its
 * limit.
 */
export async function pauseGuesses(tx: Tx, linkId: string): Promise<string | undefined> {
  const row = await tx
    .updateTable('share_link_guesses')
    .set((eb) => ({
      ends_at: sql<string>`now() + interval '1 hour' * least(2 ^ ${eb.ref('pause_count')}, 24)`,
      pause_count: eb('pause_count', '+', 1),
    }))
    .where('share_link_id', '=', linkId)
    .where('network', '=', allNetworks)
    .where('guess_count', '>=', maxGuesses)
    .returning('ends_at')
    .executeTakeFirst()
  return row?.ends_at
}

/** Deletes the guess counts of one network, or of all networks. */
export async function deleteGuesses(db: Executor, linkId: string, network?: string): Promise<void> {
  const all = db.deleteFrom('share_link_guesses').where('share_link_id', '=', linkId)
  await (network === undefined ? all : all.where('network', '=', network)).execute()
}

/** Deletes up to `limit` counts that expired at least `days` days ago; returns the number deleted. */
export async function deleteSomeOldGuesses(db: Executor, days: number, limit: number): Promise<number> {
  const result = await sql`
    delete from share_link_guesses where (share_link_id, network) in (
      select share_link_id, network from share_link_guesses
      where ends_at <= now() - make_interval(hours => ${days * 24}::int)
      limit ${limit} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
