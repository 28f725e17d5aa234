import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'

/** Holds an application whose days in the trash are over until the end of the transaction, if nobody else holds it. */
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

export async function findHasBuilds(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Keys of what is stored for the application itself and its custom targets. */
export async function listIconKeys(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('applications')
    .select('icon_object_key as key')
    .where('id', '=', id)
    .union(tx.selectFrom('custom_targets').select('icon_object_key as key').where('application_id', '=', id))
    .execute()
  return rows.flatMap(({ key }) => (key === null ? [] : [key]))
}

/** With all that is left in it. */
export async function deleteApplicationRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('applications').where('id', '=', id).execute()
}
