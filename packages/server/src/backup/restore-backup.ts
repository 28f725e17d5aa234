import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { connectDatabase } from '../database/connect.ts'
import { openCopySession } from '../database/copy-session.ts'
import { openDumpedTable, verifyDump } from '../database/dump-database.ts'
import { loadDatabase, requireUsable } from '../database/load-database.ts'
import { findRefusal, targetOf } from '../database/target.ts'
import { writePrivateFile } from '../lib/durable-file.ts'
import { copyObjects, type CopiedObjects } from '../storage/copy-objects.ts'
import { createLocalIdentity } from '../storage/local-identity.ts'
import { localLayout, prepareFolders } from '../storage/local-layout.ts'
import { backupPaths, type BackupManifest } from './backup-folder.ts'
import type { BackupOptions } from './create-backup.ts'

/**
 * Restores a backup to an empty database and an empty data folder. Verifies the checksum of every file. The
 * installation ID is written last: without it, the service does not start on a partially restored folder.
 */
export async function restoreBackup({
  folder,
  manifest,
  config,
  connection,
  queueSchema,
  migrationsFolder,
  log,
  onProgress,
}: BackupOptions & { manifest: BackupManifest; migrationsFolder: string }): Promise<CopiedObjects> {
  const dataDir = resolve(config.dataDir)
  const paths = backupPaths(folder)
  const installationId = await createLocalIdentity(paths.storage).findId()
  if (installationId === undefined)
    throw new Error(`The file installation-id is missing in ${paths.storage}.`)
  await verifyDump(paths.database, manifest.database)
  const target = targetOf(connection)
  const writer = await openCopySession(connection)
  try {
    await requireUsable(writer, target)
    await loadDatabase({
      writer,
      content: manifest.database,
      openTable: (table) => openDumpedTable(paths.database, table),
      migrationsFolder,
      queueSchema,
      onProgress,
    })
  } catch (error) {
    throw findRefusal(error, target) ?? error
  } finally {
    await writer.end()
  }
  const { db, close } = connectDatabase({ connection, maxConnections: 2, log })
  try {
    const to = localLayout(join(dataDir, 'storage'))
    await prepareFolders(to)
    const copied = await copyObjects({
      db,
      from: localLayout(paths.storage),
      to,
      // A restored file must not share its bytes with the backup, because damage would affect both.
      linkFrom: [],
      onProgress,
    })
    if (manifest.has_secret && config.secret === undefined)
      await writePrivateFile(join(dataDir, 'secret'), await readFile(paths.secret, 'utf8'))
    await createLocalIdentity(to.root).saveId(installationId)
    return copied
  } finally {
    await close()
  }
}
