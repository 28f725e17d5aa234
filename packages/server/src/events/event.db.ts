import type { Insertable } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { Tx } from '../database/transaction.ts'

export async function insertAuditEntry(tx: Tx, entry: Insertable<Database['audit_entries']>): Promise<void> {
  await tx.insertInto('audit_entries').values(entry).execute()
}

export async function insertEvents(tx: Tx, events: Insertable<Database['events']>[]): Promise<void> {
  if (events.length > 0) await tx.insertInto('events').values(events).execute()
}
