import { inTransaction, type Tx } from '../../database/transaction.ts'
import { deleteStatisticsOf } from '../../features/statistics/statistics.db.ts'
import { removeDefaultStreamsOf } from '../../features/streams/default-stream.db.ts'
import { saveImportedWorkspace } from '../../features/workspace/workspace.db.ts'
import { inBatches } from '../export/json-lines.ts'
import type { Column } from '../export/read-rows.db.ts'
import { avoidConflicts, findReplacements, type Replacements } from './existing-rows.db.ts'
import type { ImportContext } from './import-context.ts'
import { insertRows, listColumns, saveProgress, type Row } from './import.db.ts'
import { mapRows } from './map-rows.ts'
import { explainRejection } from './rejected-row.ts'

const rowsPerBatch = 500

/** An application in the trash is purged after 7 days, so an import that is not resumed is deleted after 37 days. */
const hiddenDays = 30

/** Members of the workspace may already exist. All other rows are new. */
const keepsExisting = new Set(['workspace_members'])

/** Inserts the rows of a table, starting at `position`. Saves the position in the transaction of each batch. */
export async function importTable(
  context: ImportContext,
  table: string,
  position: number,
  replacements: Replacements,
): Promise<void> {
  const { db, manifest, state, onProgress } = context
  const exported = manifest.tables.find(({ name }) => name === table)
  if (exported === undefined) return
  const columns = await listInsertedColumns(context, table, exported.columns)
  let done = position
  const next = async (rows: readonly Row[]) => {
    const mapped = await mapRows(context, table, columns, rows, replacements)
    const sourceIdOf = (id: unknown) =>
      rows.find((row) => typeof row['id'] === 'string' && context.mapId(row['id']) === id)?.['id']
    const insert = (count: number, complete: (tx: Tx) => Promise<void>) =>
      inTransaction(db, async (tx) => {
        if (done === 0) await beforeTable(tx, context, table)
        await insertMapped(tx, context, table, columns, structuredClone(mapped.slice(0, count)))
        await complete(tx)
      })
    await explainRejection({ table, rows: mapped, sourceIdOf }, insert, () =>
      insert(mapped.length, (tx) => saveProgress(tx, state.id, table, done + rows.length)),
    )
    done += rows.length
    onProgress({ step: table, unit: 'rows', done, total: exported.rows, isComplete: done === exported.rows })
  }
  for await (const lines of inBatches(context.exported.rows(table, position), rowsPerBatch))
    await next(lines.map((line) => JSON.parse(line) as Row))
  // A table without rows may still have something to do before it.
  if (exported.rows === 0) await next([])
}

/** Returns the columns of the export that this version has. The others get their default values. */
async function listInsertedColumns(
  { db }: ImportContext,
  table: string,
  exported: readonly Column[],
): Promise<Column[]> {
  const names = new Set(exported.map(({ name }) => name))
  return (await listColumns(db, table)).filter(({ name }) => names.has(name))
}

async function beforeTable(tx: Tx, context: ImportContext, table: string): Promise<void> {
  const { state } = context
  if (table === 'default_streams' && state.replacesWorkspace)
    await removeDefaultStreamsOf(tx, state.workspaceId)
  if (table === 'daily_statistics') await deleteStatisticsOf(tx, await listApplicationIds(context))
}

async function insertMapped(
  tx: Tx,
  { state, manifest, publicUrl }: ImportContext,
  table: string,
  columns: readonly Column[],
  rows: Row[],
): Promise<void> {
  if (table === 'workspaces') {
    const [workspace] = rows
    if (state.replacesWorkspace && workspace !== undefined)
      await saveImportedWorkspace(tx, state.workspaceId, workspace)
    return
  }
  for (const row of rows) {
    // The application is in the trash until the import is complete.
    if (table === 'applications') row['deleted_at'] = new Date(Date.now() + hiddenDays * 86_400_000)
    // CI runs use the URL of the server as the audience of their tokens by default.
    if (table === 'trusted_publishers' && row['audience'] === manifest.source.url) row['audience'] = publicUrl
    // The job that merges rows requires that merged rows are unique.
    if (table === 'daily_statistics') row['is_merged'] = false
  }
  await avoidConflicts[table]?.(tx, rows)
  await insertRows(tx, {
    table,
    columns: columns.map(({ name }) => name),
    rows,
    keepsExisting: keepsExisting.has(table),
  })
}

/** Returns the new IDs of the applications in the export. */
async function listApplicationIds({ exported, mapId }: ImportContext): Promise<string[]> {
  const ids: string[] = []
  for await (const line of exported.rows('applications'))
    ids.push(mapId((JSON.parse(line) as { id: string }).id))
  return ids
}

/**
 * Returns the rows that existing rows replace. Rows that an interrupted run inserted have their new IDs, so they are not
 * among them.
 */
export async function listReplacements(context: ImportContext): Promise<Replacements> {
  const { db, state, mapId } = context
  const replacements: Replacements = new Map()
  for (const [table, find] of Object.entries(findReplacements)) {
    // The default streams of an empty workspace are replaced by those of the export.
    if (table === 'default_streams' && state.replacesWorkspace) continue
    const ids = new Map<string, string | null>()
    for await (const lines of inBatches(context.exported.rows(table), rowsPerBatch)) {
      const rows = lines.map((line) => JSON.parse(line) as Row & { id: string })
      for (const { index, id, existing = id } of await find(db, state.workspaceId, rows)) {
        const source = rows[index]?.id
        if (source !== undefined && existing !== mapId(source)) ids.set(source, id)
      }
    }
    replacements.set(table, ids)
  }
  return replacements
}
