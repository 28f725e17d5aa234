import { join, resolve } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import { connectDatabase } from '../../database/connect.ts'
import { openCopySession } from '../../database/copy/copy-session.ts'
import { openDumpedTable, verifyDump } from '../../database/copy/dump-database.ts'
import { loadDatabase, requireUsable } from '../../database/copy/load-database.ts'
import { findRestoreMark, markRestored, removeRestoreMark } from '../../database/copy/restore-mark.ts'
import { findRefusal, targetOf } from '../../database/target.ts'
import type { Db } from '../../database/transaction.ts'
import { writePrivateFile } from '../../lib/durable-file.ts'
import type { StorageIdentity } from '../../storage/driver.ts'
import { localLayout, prepareFolders } from '../../storage/local/local-layout.ts'
import { copyObjects, type CopiedObjects } from '../../storage/objects/copy-objects.ts'
import type { S3Driver } from '../../storage/s3/s3-driver.ts'
import type { BackupSource } from './backup-source.ts'
import type { BackupOptions } from './create-backup.ts'
import { deleteRestoreRecord, type RestoreRecord } from './restore-record.ts'
import { openFolder, restoreObjects } from './transfer-objects.ts'

type Options = Omit<BackupOptions, 'folder' | 'storage'> & {
  source: BackupSource
  storage: S3Driver | undefined
  /** The storage to which the files are restored. */
  identity: StorageIdentity
  migrationsFolder: string
  /** Records the restore and claims the storage, or returns the record if that has been done. */
  begin: () => Promise<RestoreRecord>
  isResumed: boolean
}

/**
 * Restores a backup to an empty database and an empty storage, or continues an interrupted restore to them. Verifies the
 * checksum of every file. The installation ID is written last: without it, the service does not start on a partially
 * restored storage.
 */
export async function restoreBackup({
  source,
  config,
  storage,
  identity,
  connection,
  queueSchema,
  migrationsFolder,
  begin,
  isResumed,
  log,
  onProgress,
}: Options): Promise<CopiedObjects> {
  const dataDir = resolve(config.dataDir)
  const { manifest, openTable } = source
  await withCopySession(connection, async (writer) => {
    // The rows are loaded in one transaction, so that an interrupted restore has loaded all of them or none.
    if (isResumed && (await findRestoreMark(writer)) === (await begin()).id) return
    await verifyDump(openTable, manifest.database)
    await requireUsable(writer, targetOf(connection))
    const { id } = await begin()
    await loadDatabase({
      writer,
      content: manifest.database,
      openTable: (table) => openDumpedTable(openTable, table),
      migrationsFolder,
      queueSchema,
      onProgress,
      beforeCommit: () => markRestored(writer, id),
    })
  })
  const { db, close } = connectDatabase({ connection, maxConnections: 2, log })
  try {
    // A run that was interrupted at its end has restored all files. A server may have used the storage since.
    const isCopied = isResumed && (await identity.findId()) === source.installationId
    const copied = isCopied
      ? { objects: 0, sizeBytes: 0, damagedPaths: [] }
      : await restoreFiles({ source, dataDir, storage, isResumed, log, db, onProgress })
    if (manifest.has_secret && config.secret === undefined)
      await writePrivateFile(join(dataDir, 'secret'), await source.readSecret())
    await identity.saveId(source.installationId)
    await deleteRestoreRecord(dataDir)
    await withCopySession(connection, removeRestoreMark)
    return copied
  } finally {
    await close()
  }
}

async function withCopySession(
  connection: Options['connection'],
  work: (writer: pg.Client) => Promise<void>,
): Promise<void> {
  const writer = await openCopySession(connection)
  try {
    await work(writer)
  } catch (error) {
    throw findRefusal(error, targetOf(connection)) ?? error
  } finally {
    await writer.end()
  }
}

type Target = {
  source: BackupSource
  dataDir: string
  storage: S3Driver | undefined
  isResumed: boolean
  log: Logger
  db: Db
  onProgress: BackupOptions['onProgress']
}

/** Copies the files unchanged if both the original and the new installation keep them in the data folder. */
async function restoreFiles({
  source,
  dataDir,
  storage,
  isResumed,
  log,
  db,
  onProgress,
}: Target): Promise<CopiedObjects> {
  const options = { db, read: source.readFile, isResumed, onProgress }
  if (storage !== undefined) {
    if (isResumed) await storage.abortUploads()
    return restoreObjects({ ...options, storage })
  }
  const to = localLayout(join(dataDir, 'storage'))
  await prepareFolders(to)
  // A restored file must not share its bytes with the backup, because damage would affect both.
  if (source.files !== undefined) return copyObjects({ db, from: source.files, to, linkFrom: [], onProgress })
  const driver = await openFolder(to.root, log)
  return restoreObjects({ ...options, storage: driver }).finally(() => driver.close())
}
