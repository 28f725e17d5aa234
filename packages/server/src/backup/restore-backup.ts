import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { connectDatabase } from '../database/connect.ts'
import { openCopySession } from '../database/copy-session.ts'
import { openDumpedTable, verifyDump } from '../database/dump-database.ts'
import { loadDatabase, requireUsable } from '../database/load-database.ts'
import { findRefusal, targetOf } from '../database/target.ts'
import type { Db } from '../database/transaction.ts'
import { writePrivateFile } from '../lib/durable-file.ts'
import { copyObjects, type CopiedObjects } from '../storage/copy-objects.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { createLocalIdentity } from '../storage/local-identity.ts'
import { localLayout, prepareFolders, type LocalLayout } from '../storage/local-layout.ts'
import { backupPaths, type BackupManifest } from './backup-folder.ts'
import type { BackupOptions } from './create-backup.ts'
import { openFolder, restoreObjects } from './transfer-objects.ts'

/**
 * Restores a backup to an empty database and an empty data folder. Verifies the checksum of every file. The
 * installation ID is written last: without it, the service does not start on a partially restored folder.
 */
export async function restoreBackup({
  folder,
  manifest,
  config,
  storage,
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
    const identity = storage?.identity ?? createLocalIdentity(join(dataDir, 'storage'))
    const files = localLayout(paths.storage)
    const copied = await restoreFiles({ manifest, dataDir, storage, log }, { db, files, onProgress })
    if (manifest.has_secret && config.secret === undefined)
      await writePrivateFile(join(dataDir, 'secret'), await readFile(paths.secret, 'utf8'))
    await identity.saveId(installationId)
    return copied
  } finally {
    await close()
  }
}

type Target = {
  manifest: BackupManifest
  dataDir: string
  storage: StorageDriver | undefined
  log: Logger
}

/** Copies the files unchanged if both the original and the new installation keep them in the data folder. */
async function restoreFiles(
  { manifest, dataDir, storage, log }: Target,
  source: { db: Db; files: LocalLayout; onProgress: BackupOptions['onProgress'] },
): Promise<CopiedObjects> {
  const { db, files, onProgress } = source
  if (storage !== undefined) return restoreObjects({ ...source, storage })
  const to = localLayout(join(dataDir, 'storage'))
  await prepareFolders(to)
  // A restored file must not share its bytes with the backup, because damage would affect both.
  if (manifest.storage !== 's3') return copyObjects({ db, from: files, to, linkFrom: [], onProgress })
  const driver = await openFolder(to.root, log)
  return restoreObjects({ ...source, storage: driver }).finally(() => driver.close())
}
