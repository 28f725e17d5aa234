import { sql } from 'kysely'
import type { Db } from './transaction.ts'

/** Returns when the database answers, else throws Problem unavailable. */
export async function checkDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
