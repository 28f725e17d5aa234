import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'

/** The build, in the trash or not; throws notFound. */
export async function requireBuildOrTrashed(db: Executor, applicationId: string, id: string) {
  const row = await db
    .selectFrom('builds')
    .select(['id', 'deleted_at'])
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

export async function updateBuildTrashed(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('builds')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** False when the build is not in the trash. */
export async function updateBuildRestored(tx: Tx, applicationId: string, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('builds')
    .set({ deleted_at: null })
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
