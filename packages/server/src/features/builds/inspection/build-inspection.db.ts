import { sql } from 'kysely'
import { inspectedFiletypes } from '../../../catalog/filetypes.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { AndroidInfo, IosInfo, PackageInfo } from '../../../inspection/inspection.ts'

/** The states of reading metadata from a primary file. */
export const processingStates = ['none', 'queued', 'waiting', 'done', 'failed'] as const

/** The states of a build whose file has not been inspected yet. */
const uninspected = ['waiting', 'queued']

export const isUninspected = ({ processing }: { processing: string }): boolean =>
  uninspected.includes(processing)

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

/** Returns a build with its primary file. */
export async function findPrimaryFile(db: Executor, buildId: string) {
  return db
    .selectFrom('builds')
    .innerJoin('files', (join) =>
      join.onRef('files.build_id', '=', 'builds.id').on('files.role', '=', 'primary'),
    )
    .select([
      'files.id as file_id',
      'workspace_id',
      'platform',
      'processing',
      'filetype',
      'filename',
      'object_key',
    ])
    .where('builds.id', '=', buildId)
    .executeTakeFirst()
}

/** Locks the build until the end of the transaction and returns what its last inspection has saved. */
export async function findLockedInspection(tx: Tx, buildId: string) {
  return tx
    .selectFrom('builds')
    .select([
      'id',
      'processing',
      'build_number',
      'ios_info',
      'android_info',
      'file_info',
      'icon_object_key',
      'derived_total_bytes',
      sql<number | null>`(select size_bytes from stored_objects where key = icon_object_key)`.as(
        'icon_size_bytes',
      ),
    ])
    .where('id', '=', buildId)
    .forUpdate()
    .executeTakeFirst()
}

export type SavedInspection = NonNullable<Awaited<ReturnType<typeof findLockedInspection>>>

/** Replaces what earlier inspections of the build have saved, and the type of the inspected file. */
export async function saveInspectionAgain(
  tx: Tx,
  { id, fileId, filetype }: { id: string; fileId: string; filetype: string },
  columns: Omit<InspectedColumns, 'ios_info' | 'android_info' | 'file_info'> &
    Record<'ios_info' | 'android_info' | 'file_info', object | null>,
): Promise<void> {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value))
  await tx
    .updateTable('builds')
    .set({
      ...columns,
      ios_info: json(columns.ios_info),
      android_info: json(columns.android_info),
      file_info: json(columns.file_info),
      processing: 'done',
      processing_error: null,
    })
    .where('id', '=', id)
    .execute()
  await saveFiletype(tx, fileId, filetype)
}

/** Records why a build could not be inspected, and the type of its file, if no earlier version has inspected it. */
export async function failUnreadBuild(
  tx: Tx,
  { id, fileId, filetype, reason }: { id: string; fileId: string; filetype: string; reason: string },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('builds')
    .set({ processing: 'failed', processing_error: reason })
    .where('id', '=', id)
    .where('processing', '=', 'none')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await saveFiletype(tx, fileId, filetype)
}

async function saveFiletype(tx: Tx, fileId: string, filetype: string): Promise<void> {
  await tx
    .updateTable('files')
    .set({ filetype })
    .where('id', '=', fileId)
    .where('filetype', '<>', filetype)
    .execute()
}

/**
 * Records the version for up to `limit` builds whose files this version cannot inspect, without reading them. Returns
 * the number of builds.
 */
export async function skipUninspectableBuilds(
  db: Executor,
  { kind, version }: { kind: string; version: number },
  limit: number,
): Promise<number> {
  // A file of unknown type may have a type that this version knows.
  const { numAffectedRows } = await sql`
    update build_readings set version = ${version} where kind = ${kind} and build_id in (
      select build_readings.build_id from build_readings
        join files on files.build_id = build_readings.build_id and files.role = 'primary'
      where kind = ${kind} and version < ${version} and filetype <> 'none'
        and filetype <> all(${inspectedFiletypes})
      limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
