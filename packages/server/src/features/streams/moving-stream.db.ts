import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Initiator } from '../../events/record-event.ts'

/**
 * Hides the stream from all lookups until the job `streams.move-builds` has moved its builds and deleted it. The audit
 * log attributes those moves to `by`.
 */
export async function markStreamMoving(tx: Tx, id: string, toId: string, by: Initiator): Promise<void> {
  await tx
    .updateTable('streams')
    .set({ moving_to: toId, moved_by: JSON.stringify(by) })
    .where('id', '=', id)
    .execute()
}

/** Changes the target of moving streams from `fromId` to `toId`. */
export async function retargetMovingStreams(tx: Tx, fromId: string, toId: string): Promise<void> {
  await tx.updateTable('streams').set({ moving_to: toId }).where('moving_to', '=', fromId).execute()
}

/** Prevents the deletion of the stream until the end of the transaction; returns false if it is already deleted. */
export async function lockStreamAgainstDeletion(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('streams')
    .select('id')
    .where('id', '=', id)
    .where('moving_to', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a stream's builds, including those in the trash or still being moved to it, and its unfinished uploads. */
export async function countStreamReferences(db: Executor, id: string) {
  return db
    .selectNoFrom([
      sql<number>`(select count(*) from builds
        where stream_id in (select id from streams where id = ${id} or moving_to = ${id}))`.as('builds'),
      sql<number>`(select count(*) from pending_uploads where stream_id = ${id}
        and (state = 'verifying' or (state = 'requested' and expires_at > now())))`.as('uploads'),
    ])
    .executeTakeFirstOrThrow()
}

export async function listMovingStreams(db: Executor): Promise<{ id: string }[]> {
  return db.selectFrom('streams').select('id').where('moving_to', 'is not', null).orderBy('id').execute()
}

/**
 * Locks a moving stream until the end of the transaction, so that its target cannot change, and returns it. Returns
 * undefined if the stream is not moving or another transaction has locked it.
 */
export async function findLockedMovingStream(tx: Tx, id: string) {
  return tx
    .selectFrom('streams')
    .select(['id', 'name', sql<string>`moving_to`.as('moving_to'), sql<Initiator>`moved_by`.as('moved_by')])
    .where('id', '=', id)
    .where('moving_to', 'is not', null)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Blocks new builds and uploads in the stream until the end of the transaction. */
export async function lockMovingStream(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('streams').select('id').where('id', '=', id).forUpdate().execute()
}
