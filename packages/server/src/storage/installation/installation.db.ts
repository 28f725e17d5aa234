import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'

/**
 * Locks the installation row until the transaction ends and returns it. If there is none, creates it with the ID
 * `newId`.
 */
export async function lockInstallation(tx: Tx, newId: string) {
  await tx
    .insertInto('installation')
    .values({ id: newId })
    .onConflict((conflict) => conflict.column('is_only').doNothing())
    .execute()
  return tx
    .selectFrom('installation')
    .select(['id', 'storage_claimed_at'])
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Saves the installation ID and records that the storage contains the same ID. */
export async function saveClaimedStorage(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('installation')
    .set({ id, storage_claimed_at: sql`now()` })
    .execute()
}

export async function findInstallationId(db: Executor): Promise<string | undefined> {
  return (await db.selectFrom('installation').select('id').executeTakeFirst())?.id
}

/** Returns the number of stored objects, including those that are marked for deletion. */
export async function countStoredFiles(db: Executor): Promise<number> {
  const row = await db
    .selectFrom('stored_objects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

const maxGap = sql`interval '24 hours'`
// After a move to another server, the database clock may be slightly behind that of the previous server.
const maxStepBack = sql`interval '5 minutes'`
// Deletion jobs check the clock every five minutes, so a longer gap means that the service was not running.
const maxCounted = sql`interval '15 minutes'`

/**
 * Records the current database time and returns the number of seconds for which deletion remains paused. Deletion
 * pauses for `pauseSeconds` of uptime if the clock has moved backward, or forward by more than a normal downtime.
 */
export async function recordClock(db: Executor, pauseSeconds: number) {
  const gap = sql`now() - before.clock_seen_at`
  const hasGap = sql<boolean>`(${gap} > ${maxGap} or ${gap} < -${maxStepBack})`
  const counted = sql`extract(epoch from greatest(least(${gap}, ${maxCounted}), interval '0'))`
  const { rows } = await sql<{ paused_seconds: number; has_gap: boolean; before: string; now: string }>`
    update installation set
      clock_seen_at = now(),
      deletion_paused_seconds = case when ${hasGap} then ${pauseSeconds}::float8
        else greatest(0, before.deletion_paused_seconds - ${counted}) end
    from (select clock_seen_at, deletion_paused_seconds from installation for update) as before
    returning installation.deletion_paused_seconds as paused_seconds, ${hasGap} as has_gap,
      before.clock_seen_at as before, now() as now`.execute(db)
  return rows[0]
}
