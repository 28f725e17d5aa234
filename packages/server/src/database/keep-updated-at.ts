import { sql } from 'kysely'
import type { Tx } from './transaction.ts'

/** Lets updates in this transaction keep the time of the last change, for rows that come from an export. */
export async function keepUpdatedAt(tx: Tx): Promise<void> {
  await sql`set local quayside.keeps_updated_at = 'on'`.execute(tx)
}
