import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'

/** Records that a registration is completed. Violates the primary key if it was completed before. */
export async function insertDeviceRegistration(tx: Tx, id: string): Promise<void> {
  await tx.insertInto('device_registrations').values({ id }).execute()
}

/** Deletes up to `limit` registrations that were completed at least `days` days ago; returns the number deleted. */
export async function deleteSomeDeviceRegistrations(
  db: Executor,
  days: number,
  limit: number,
): Promise<number> {
  const result = await sql`
    delete from device_registrations where id in (
      select id from device_registrations where completed_at <= now() - make_interval(hours => ${days * 24}::int)
      limit ${limit} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
