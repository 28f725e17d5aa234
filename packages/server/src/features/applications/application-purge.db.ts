import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

/**
 * Locks the application until the end of the transaction and returns it. Returns undefined if its restore period has
 * not ended or if another transaction has locked it.
 */
export async function findLockedOverdueApplication(tx: Tx, id: string, trashDays: number) {
  return tx
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', id)
    .where(sql<boolean>`deleted_at <= now() - make_interval(days => ${trashDays}::int)`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function hasBuilds(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the object keys of the icons used by the application and its custom targets. */
export async function listIconKeys(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('applications')
    .select('icon_object_key as key')
    .where('id', '=', id)
    .union(tx.selectFrom('custom_targets').select('icon_object_key as key').where('application_id', '=', id))
    .execute()
  return rows.flatMap(({ key }) => (key === null ? [] : [key]))
}

/** Deletes the application and all rows that still belong to it. */
export async function removeApplication(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('applications').where('id', '=', id).execute()
}
