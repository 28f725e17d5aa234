import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Author } from '../../events/record-event.ts'

/** Whom the audit log names for the builds that move. */
export type MovedBy = { actor: Author; address: string | null }

/** From now on nobody finds the stream; `streams.move-builds` moves what is in it, and removes it. */
export async function updateStreamMoving(tx: Tx, id: string, to: string, by: MovedBy): Promise<void> {
  await tx
    .updateTable('streams')
    .set({ moving_to: to, moved_by: JSON.stringify(by) })
    .where('id', '=', id)
    .execute()
}

/** What was on its way to one stream goes to another. */
export async function updateStreamsOnTheirWay(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('streams').set({ moving_to: to }).where('moving_to', '=', from).execute()
}

/** Keeps the stream until the end of the transaction; false when it is gone. */
export async function lockStreamKept(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('streams')
    .select('id')
    .where('id', '=', id)
    .where('moving_to', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function listMovingStreams(db: Executor): Promise<{ id: string }[]> {
  return db.selectFrom('streams').select('id').where('moving_to', 'is not', null).orderBy('id').execute()
}

/** The stream if it is on its way and nobody else moves it; where it goes stays so until the end of the transaction. */
export async function findLockedMovingStream(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('streams')
    .select(['id', 'name', sql<string>`moving_to`.as('moving_to'), sql<MovedBy>`moved_by`.as('moved_by')])
    .where('id', '=', id)
    .where('moving_to', 'is not', null)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row
}

/** Until the end of the transaction nothing can be put into it. */
export async function lockMovingStream(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('streams').select('id').where('id', '=', id).forUpdate().execute()
}
