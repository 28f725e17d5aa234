import { inTransaction, type Db } from '../../database/transaction.ts'
import { expireImportedApplications } from '../../features/applications/application.db.ts'
import { exportPaths, withLockedFolder } from '../export/export-folder.ts'
import { readSignedManifest } from '../export/manifest.ts'
import { createIdMap } from './id-map.ts'
import { findUnfinishedImport, removeImport } from './import.db.ts'
import { verifyFile } from './verified-file.ts'

type Options = { db: Db; folder: string; workspaceId: string; trashDays: number }

/**
 * Discards the unfinished import of an export: removes its record, so that the export can be imported from the start, and
 * ends the restore period of its hidden applications, so that the next run of the purge jobs deletes them. Returns their
 * number, or undefined if there is no unfinished import.
 */
export async function discardImport({
  db,
  folder,
  workspaceId,
  trashDays,
}: Options): Promise<number | undefined> {
  const manifest = await readSignedManifest(folder)
  return withLockedFolder(folder, async () => {
    const found = await findUnfinishedImport(db, workspaceId, manifest.id)
    if (found === undefined) return undefined
    const mapId = createIdMap(found.idKey)
    const ids: string[] = []
    const table = manifest.tables.find(({ name }) => name === 'applications')
    if (table !== undefined) {
      const { lines } = await verifyFile(exportPaths(folder).rows(table.name), table, () => undefined)
      for await (const line of lines()) ids.push(mapId((JSON.parse(line) as { id: string }).id))
    }
    return inTransaction(db, async (tx) => {
      await removeImport(tx, found.id)
      return expireImportedApplications(tx, ids, trashDays)
    })
  })
}
