import { CompiledQuery, sql } from 'kysely'
import { type AppliedMigration, appliedMigrationsQuery } from '../../database/schema/migration-files.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { insertStoredObject } from '../../storage/objects/stored-objects.db.ts'
import { columnsOfTable, type Column } from '../export/read-rows.db.ts'

/** The state of an import. `step` is the step in progress, and `position` the number of its lines that are done. */
export type ImportState = {
  id: string
  workspaceId: string
  idKey: Buffer
  replacesWorkspace: boolean
  step: string | null
  position: number
  finishedAt: string | null
}

/** Returns the import of this export into the workspace. Creates it if there is none. */
export async function ensureImport(
  db: Db,
  values: { id: string; workspaceId: string; exportId: string; idKey: Buffer; isWorkspaceExport: boolean },
): Promise<ImportState> {
  return inTransaction(db, async (tx) => {
    await sql`
      insert into imports (id, workspace_id, export_id, id_key, replaces_workspace)
      values (${values.id}, ${values.workspaceId}, ${values.exportId}, ${values.idKey},
        ${values.isWorkspaceExport} and not exists (
          select from applications where workspace_id = ${values.workspaceId}))
      on conflict (workspace_id, export_id) do nothing`.execute(tx)
    const row = await tx
      .selectFrom('imports')
      .selectAll()
      .where('workspace_id', '=', values.workspaceId)
      .where('export_id', '=', values.exportId)
      .executeTakeFirstOrThrow()
    return {
      id: row.id,
      workspaceId: row.workspace_id,
      idKey: row.id_key,
      replacesWorkspace: row.replaces_workspace,
      step: row.step,
      position: row.position,
      finishedAt: row.finished_at,
    }
  })
}

/** Forgets a complete import, so that the export can be imported again. */
export async function removeFinishedImport(
  db: Executor,
  workspaceId: string,
  exportId: string,
): Promise<void> {
  await db
    .deleteFrom('imports')
    .where('workspace_id', '=', workspaceId)
    .where('export_id', '=', exportId)
    .where('finished_at', 'is not', null)
    .execute()
}

/** Returns the import of this export that is not complete. */
export async function findUnfinishedImport(
  db: Executor,
  workspaceId: string,
  exportId: string,
): Promise<Pick<ImportState, 'id' | 'idKey'> | undefined> {
  const row = await db
    .selectFrom('imports')
    .select(['id', 'id_key'])
    .where('workspace_id', '=', workspaceId)
    .where('export_id', '=', exportId)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, idKey: row.id_key }
}

/** Deletes the record of an import. Its stored files are then protected only by the rows that refer to them. */
export async function removeImport(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('imports').where('id', '=', id).execute()
}

export async function saveProgress(tx: Tx, id: string, step: string, position: number): Promise<void> {
  await tx.updateTable('imports').set({ step, position }).where('id', '=', id).execute()
}

/** Completes an import. The rows that refer to its stored files now protect them. */
export async function finishImport(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('import_objects').where('import_id', '=', id).execute()
  await tx
    .updateTable('imports')
    .set({ finished_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Returns the keys of the stored files by their keys in the export. */
export async function findImportedObjects(
  db: Executor,
  importId: string,
  sourceKeys: readonly string[],
): Promise<Map<string, string>> {
  if (sourceKeys.length === 0) return new Map()
  const rows = await db
    .selectFrom('import_objects')
    .select(['source_key', 'object_key'])
    .where('import_id', '=', importId)
    .where(sql<boolean>`source_key = any(${sourceKeys})`)
    .execute()
  return new Map(rows.map(({ source_key, object_key }) => [source_key, object_key]))
}

export async function insertImportedObject(
  tx: Tx,
  {
    importId,
    sourceKey,
    object,
    iconType,
  }: { importId: string; sourceKey: string; object: SealedObject; iconType: string | null },
): Promise<void> {
  await insertStoredObject(tx, object, { iconType })
  await tx
    .insertInto('import_objects')
    .values({ import_id: importId, source_key: sourceKey, object_key: object.key })
    .execute()
}

/** Lists the columns of a table that an insert can set. */
export async function listColumns(db: Executor, table: string): Promise<Column[]> {
  const { rows } = await db.executeQuery<Column>(CompiledQuery.raw(columnsOfTable, [table]))
  return rows
}

export async function findSchemaVersion(db: Executor): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select max(number) as number from schema_migrations`.execute(db)
  return rows[0]?.number ?? 0
}

export async function listWorkspaces(db: Executor): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('workspaces').select(['id', 'name']).orderBy('created_at').orderBy('id').execute()
}

export async function findWorkspaceOfApplication(
  db: Executor,
  applicationId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('applications')
    .select('workspace_id')
    .where('id', '=', applicationId)
    .executeTakeFirst()
  return row?.workspace_id
}

export async function listAppliedMigrations(db: Executor): Promise<AppliedMigration[]> {
  const { rows } = await sql.raw<AppliedMigration>(appliedMigrationsQuery).execute(db)
  return rows
}

/** A row as in the export, or with new IDs. */
export type Row = Record<string, unknown>

/** Inserts rows with these columns. Throws if a row violates a constraint, unless `keepsExisting` is set. */
export async function insertRows(
  tx: Tx,
  {
    table,
    columns,
    rows,
    keepsExisting,
  }: { table: string; columns: readonly string[]; rows: readonly Row[]; keepsExisting: boolean },
): Promise<void> {
  if (rows.length === 0) return
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const conflict = keepsExisting ? sql`on conflict do nothing` : sql``
  await sql`
    insert into ${sql.table(table)} (${names})
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
    ${conflict}`.execute(tx)
}

const resources = {
  text: 'applications builds releases streams labels share_links api_keys distribution_groups portals users teams devices feedback channels channel_read_keys'.split(
    ' ',
  ),
  uuid: 'files metadata_artifacts custom_targets webhooks trusted_publishers distribution_group_members invitations default_streams'.split(
    ' ',
  ),
}

/** Returns which of these IDs belong to a resource. */
export async function findExistingIds(db: Executor, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const type of ['text', 'uuid'] as const) {
    const ofType = ids.filter((id) => id.includes('-') === (type === 'uuid'))
    if (ofType.length === 0) continue
    const exists = resources[type].map(
      (table) => sql`exists (select from ${sql.table(table)} as r where r.id = candidate.id)`,
    )
    const { rows } = await sql<{ id: string }>`
      select id::text as id from unnest(${ofType}::text[]::${sql.raw(type)}[]) as candidate (id)
      where ${sql.join(exists, sql` or `)}`.execute(db)
    for (const { id } of rows) found.add(id)
  }
  return found
}
