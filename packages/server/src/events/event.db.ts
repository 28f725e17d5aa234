import type { Insertable } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

/** The audit entry of a change and the events it tells, in one statement. */
export async function insertChange(
  tx: Tx,
  entry: Insertable<Database['audit_entries']>,
  events: Insertable<Database['events']>[],
): Promise<void> {
  if (events.length === 0) {
    await tx.insertInto('audit_entries').values(entry).execute()
    return
  }
  await tx
    .with('entry', (cte) => cte.insertInto('audit_entries').values(entry).returning('id'))
    .insertInto('events')
    .values(events)
    .execute()
}
