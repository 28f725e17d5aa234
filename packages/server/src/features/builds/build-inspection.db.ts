import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { AndroidInfo, IosInfo, PackageInfo } from '../../inspection/inspection.ts'

/** The states of a build whose file has not been inspected yet. */
const uninspected = ['waiting', 'queued']

/** Returns the build and its primary file if the file has not been inspected yet. */
export async function findUninspectedBuild(db: Executor, id: string) {
  return db
    .selectFrom('builds')
    .innerJoin('files', (join) =>
      join.onRef('files.build_id', '=', 'builds.id').on('files.role', '=', 'primary'),
    )
    .select(['builds.id', 'application_id', 'workspace_id', 'filetype', 'filename', 'object_key'])
    .where('builds.id', '=', id)
    .where('processing', 'in', uninspected)
    .executeTakeFirst()
}

/** Locks the build until the end of the transaction and returns it if its file has not been inspected yet. */
export async function findLockedUninspectedBuild(tx: Tx, id: string) {
  return tx
    .selectFrom('builds')
    .select(['id', 'application_id', 'workspace_id', 'build_number'])
    .where('id', '=', id)
    .where('processing', 'in', uninspected)
    .forUpdate()
    .executeTakeFirst()
}

/** Lists the IDs of up to `limit` builds that are over an hour old and not yet inspected, oldest first. */
export async function listOverdueInspections(db: Executor, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('builds')
    .select('id')
    .where('processing', 'in', uninspected)
    .where(sql<boolean>`created_at < now() - interval '1 hour'`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export type InspectedColumns = {
  build_number: string | null
  ios_info: IosInfo | null
  android_info: AndroidInfo | null
  file_info: PackageInfo | null
  icon_object_key: string | null
  derived_total_bytes: number
}

export async function saveInspection(tx: Tx, id: string, columns: InspectedColumns): Promise<void> {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value))
  await tx
    .updateTable('builds')
    .set({
      ...columns,
      ios_info: json(columns.ios_info),
      android_info: json(columns.android_info),
      file_info: json(columns.file_info),
      processing: 'done',
    })
    .where('id', '=', id)
    .execute()
}

/** Records why the file of a build could not be inspected. */
export async function saveInspectionError(tx: Tx, id: string, reason: string): Promise<void> {
  await tx
    .updateTable('builds')
    .set({ processing: 'failed', processing_error: reason })
    .where('id', '=', id)
    .execute()
}
