import type { Insertable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Tx } from '../../database/transaction.ts'

/** Records who took which build when, and by which way in. */
export async function insertDownload(tx: Tx, download: Insertable<Database['downloads']>): Promise<void> {
  await tx.insertInto('downloads').values(download).execute()
}
