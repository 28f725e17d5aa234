import { sql } from 'kysely'
import type { Executor, Tx } from '../database/transaction.ts'

/** One counter of failed sign-ins, with its maximum number per window. */
export type GuessCounter = { account: Buffer; source: string; limit: number }

/** The window after which a counter starts again. Nobody is kept out for longer. */
const guessWindowSeconds = 300
/** How long a source stays known after a sign-in. */
const knownDays = 90

/** Returns which of the sources have signed in to the account within the last 90 days. */
export async function listKnownSources(
  db: Executor,
  account: Buffer,
  sources: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('sign_in_guesses')
    .select('source')
    .where('account', '=', account)
    .where('source', 'in', sources)
    .where(sql<boolean>`signed_in_at > now() - make_interval(days => ${knownDays}::int)`)
    .execute()
  return rows.map(({ source }) => source)
}

/**
 * Counts a guess on each counter and returns the sources whose counters had not reached their limits. If one is
 * missing, the caller must roll back. The row locks keep the counts exact across nodes.
 */
export async function countGuess(tx: Tx, counters: readonly GuessCounter[]): Promise<number> {
  const { rows } = await sql`
    insert into sign_in_guesses as guesses (account, source, guess_count, ends_at)
    select account, source, 1, now() + make_interval(secs => ${guessWindowSeconds}::int)
    from ${rowsOf(counters)} order by account, source
    on conflict (account, source) do update set
      guess_count = case when guesses.ends_at <= now() then 1 else guesses.guess_count + 1 end,
      ends_at = case when guesses.ends_at <= now() then excluded.ends_at else guesses.ends_at end
    where guesses.ends_at <= now() or guesses.guess_count < (
      select guess_limit from ${rowsOf(counters)}
      where counter.account = guesses.account and counter.source = guesses.source)
    returning source`.execute(tx)
  return rows.length
}

/** Returns the number of seconds until all counters are below their limits again. */
export async function findGuessPause(db: Executor, counters: readonly GuessCounter[]): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from max(ends_at) - now()))::int as seconds
    from sign_in_guesses join ${rowsOf(counters)} using (account, source)
    where ends_at > now() and guess_count >= guess_limit`.execute(db)
  return rows[0]?.seconds ?? 1
}

/** Reverts the count of a guess that was correct or could not be checked. */
export async function uncountGuess(db: Executor, counters: readonly GuessCounter[]): Promise<void> {
  await sql`
    update sign_in_guesses as guesses set guess_count = greatest(guess_count - 1, 0)
    from ${rowsOf(counters)}
    where guesses.account = counter.account and guesses.source = counter.source`.execute(db)
}

/** Records that these sources have signed in to the account, and resets their counters. */
export async function markSourcesKnown(
  db: Executor,
  account: Buffer,
  sources: readonly string[],
): Promise<void> {
  await sql`
    insert into sign_in_guesses as guesses (account, source, guess_count, ends_at, signed_in_at)
    select ${account}, source, 0, now(), now() from unnest(${sources}::text[]) as source order by source
    on conflict (account, source) do update set guess_count = 0, ends_at = now(), signed_in_at = now()`.execute(
    db,
  )
}

/** Deletes up to `limit` counters that ended at least `days` days ago; returns the number deleted. */
export async function deleteSomeOldGuesses(db: Executor, days: number, limit: number): Promise<number> {
  const result = await sql`
    delete from sign_in_guesses where (account, source) in (
      select account, source from sign_in_guesses
      where ends_at <= now() - make_interval(days => ${days}::int)
        and coalesce(signed_in_at <= now() - make_interval(days => ${knownDays}::int), true)
      limit ${limit} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

const rowsOf = (counters: readonly GuessCounter[]) => sql`
  unnest(${counters.map(({ account }) => account)}::bytea[], ${counters.map(({ source }) => source)}::text[],
    ${counters.map(({ limit }) => limit)}::int[]) as counter (account, source, guess_limit)`
