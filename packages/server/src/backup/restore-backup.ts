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
import { localLayout, prepareFolders } from '../storage/local-layout.ts'
import type { BackupSource } from './backup-source.ts'
import type { BackupOptions } from './create-backup.ts'
import { openFolder, restoreObjects } from './transfer-objects.ts'

type Options = Omit<BackupOptions, 'folder'> & { source: BackupSource; migrationsFolder: string }

/**
 * Restores a backup to an empty database and an empty data folder. Verifies the checksum of every file. The
 * installation ID is written last: without it, the service does not start on a partially restored folder.
 */
export async function restoreBackup({
  source,
  config,
  storage,
  connection,
  queueSchema,
  migrationsFolder,
  log,
  onProgress,
}: Options): Promise<CopiedObjects> {
  const dataDir = resolve(config.dataDir)
  const { manifest, openTable } = source
  await verifyDump(openTable, manifest.database)
  const target = targetOf(connection)
  const writer = await openCopySession(connection)
  try {
    await requireUsable(writer, target)
    await loadDatabase({
      writer,
      content: manifest.database,
      openTable: (table) => openDumpedTable(openTable, table),
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
    const copied = await restoreFiles({ source, dataDir, storage, log, db, onProgress })
    if (manifest.has_secret && config.secret === undefined)
      await writePrivateFile(join(dataDir, 'secret'), await source.readSecret())
    await identity.saveId(source.installationId)
    return copied
  } finally {
    await close()
  }
}

type Target = {
  source: BackupSource
  dataDir: string
  storage: StorageDriver | undefined
  log: Logger
  db: Db
  onProgress: BackupOptions['onProgress']
}

/** Copies the files unchanged if both the original and the new installation keep them in the data folder. */
async function restoreFiles({
  source,
  dataDir,
  storage,
  log,
  db,
  onProgress,
}: Target): Promise<CopiedObjects> {
  const read = source.readFile
  if (storage !== undefined) return restoreObjects({ db, storage, read, onProgress })
  const to = localLayout(join(dataDir, 'storage'))
  await prepareFolders(to)
  // A restored file must not share its bytes with the backup, because damage would affect both.
  if (source.files !== undefined) return copyObjects({ db, from: source.files, to, linkFrom: [], onProgress })
  const driver = await openFolder(to.root, log)
  return restoreObjects({ db, storage: driver, read, onProgress }).finally(() => driver.close())
}
