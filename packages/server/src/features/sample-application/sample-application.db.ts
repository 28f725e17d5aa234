import { sql } from 'kysely'
import { applicationColumns, type ApplicationRef } from '../../access/application.db.ts'
import type { Executor } from '../../database/transaction.ts'

/** Selects the sample application of the workspace that is not in the trash. */
export const selectSampleApplication = (db: Executor, workspaceId: string) =>
  db
    .selectFrom('applications')
    .where('workspace_id', '=', workspaceId)
    .where('is_sample', '=', sql.lit(true))
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .limit(1)

export const findSampleApplication = (db: Executor, workspaceId: string) =>
  selectSampleApplication(db, workspaceId).select(applicationColumns).executeTakeFirst()

/** Returns the ID of the stream with this name, or of another stream if the workspace has no such default stream. */
export async function requireSampleStreamId(db: Executor, { applicationId }: ApplicationRef, name: string) {
  const { id } = await db
    .selectFrom('streams')
    .select('id')
    .where('application_id', '=', applicationId)
    .orderBy((eb) => eb('name', '=', name), 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}
