import { sql, type Insertable } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { Executor, Tx } from '../database/transaction.ts'

/** The audit entries of changes and the events they tell, in one statement. */
export async function insertChanges(
  tx: Tx,
  entries: Insertable<Database['audit_entries']>[],
  events: Insertable<Database['events']>[],
): Promise<void> {
  if (entries.length === 0) return
  if (events.length === 0) {
    await tx.insertInto('audit_entries').values(entries).execute()
    return
  }
  await tx
    .with('entries', (cte) => cte.insertInto('audit_entries').values(entries).returning('id'))
    .insertInto('events')
    .values(events)
    .execute()
}

/** Answers how many events of the application went. */
export async function deleteSomeEventsOfApplication(
  db: Executor,
  applicationId: string,
  most: number,
): Promise<number> {
  const some = db.selectFrom('events').select('id').where('application_id', '=', applicationId).limit(most)
  const result = await db.deleteFrom('events').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Events that were handed to all who wanted them so many days ago; answers how many went. */
export async function deleteSomeDispatchedEvents(db: Executor, days: number, most: number): Promise<number> {
  const some = db
    .selectFrom('events')
    .select('id')
    .where(sql<boolean>`dispatched_at < now() - make_interval(days => ${days}::int)`)
    .limit(most)
  const result = await db.deleteFrom('events').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
