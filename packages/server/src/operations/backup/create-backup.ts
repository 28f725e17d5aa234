import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import { connectDatabase, type Connection } from '../../database/connect.ts'
import type { QueueSchema } from '../../database/copy/database-content.ts'
import { dumpDatabase } from '../../database/copy/dump-database.ts'
import { writePrivateFile } from '../../lib/durable-file.ts'
import { isErrno, problem } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { assertSameInstallation } from '../../storage/installation/installation.ts'
import { createLocalIdentity } from '../../storage/local/local-identity.ts'
import { localLayout, prepareFolders } from '../../storage/local/local-layout.ts'
import { copyObjects, type CopiedObjects } from '../../storage/objects/copy-objects.ts'
import { backupPaths, createEmptyFolder, readManifest, saveInFolder, writeManifest } from './backup-folder.ts'
import { backUpObjects } from './transfer-objects.ts'

export type BackupOptions = {
  /** The folder of the backup. */
  folder: string
  config: Pick<Config, 'dataDir' | 'secret'>
  /** The store of the files if they are not in the data folder. */
  storage: StorageDriver | undefined
  connection: Connection
  queueSchema: QueueSchema
  log: Logger
  onProgress: (progress: Progress) => void
}

/**
 * Writes the database, the stored files and the master secret to an empty folder while the service is running. The
 * files are copied after the database is read, so every file that the database refers to is in the backup: files are
 * deleted no earlier than seven days after the last reference. Uploads in progress are not part of a backup.
 */
export async function createBackup({
  folder,
  previous,
  config,
  storage,
  connection,
  queueSchema,
  log,
  onProgress,
}: BackupOptions & {
  /** An earlier backup, whose files are linked instead of copied if possible. */
  previous: string | undefined
}): Promise<CopiedObjects & { hasSecret: boolean }> {
  const dataDir = resolve(config.dataDir)
  if (!relative(dataDir, folder).startsWith('..')) throw backupInsideData({ folder })
  if (previous !== undefined) await readManifest(previous)
  const secret = config.secret === undefined ? await readSecret(dataDir) : undefined
  await createEmptyFolder(folder, backupFolderNotEmpty)
  // The folder may have existed before with other permissions.
  await chmod(folder, 0o700)
  const { db, close } = connectDatabase({ connection, maxConnections: 2, log })
  try {
    const identity = storage?.identity ?? createLocalIdentity(join(dataDir, 'storage'))
    await assertSameInstallation(db, identity)
    const paths = backupPaths(folder)
    await mkdir(paths.database, { mode: 0o700 })
    const database = await dumpDatabase({
      source: connection,
      save: saveInFolder(paths.database),
      queueSchema,
      onProgress,
    })
    const [from, to] = [localLayout(join(dataDir, 'storage')), localLayout(paths.storage)]
    await prepareFolders(to)
    const earlier = previous === undefined ? undefined : localLayout(backupPaths(previous).storage)
    const copied =
      storage === undefined
        ? await copyObjects({ db, from, to, linkFrom: [...(earlier ? [earlier] : []), from], onProgress })
        : await backUpObjects({ db, storage, files: to, previous: earlier, log, onProgress })
    await createLocalIdentity(paths.storage).saveId((await identity.findId()) ?? '')
    if (secret !== undefined) await writePrivateFile(paths.secret, `${secret}\n`)
    await writeManifest(folder, {
      created_at: new Date().toISOString(),
      server_version: version,
      has_secret: secret !== undefined,
      storage: storage === undefined ? 'local' : 's3',
      database,
    })
    return { ...copied, hasSecret: secret !== undefined }
  } finally {
    await close()
  }
}

const backupInsideData = problem(
  'invalid',
  'backup.inside_data',
  'The backup folder {folder} is in the data folder. Choose another one.',
)

/** Returns the master secret in the data folder. */
export async function readSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    throw secretMissing({ path })
  }
}

const secretMissing = problem(
  'not_found',
  'secret.missing',
  '{path} does not exist and QUAYSIDE_SECRET is not set. Use the same settings as for the server.',
  { hasSeveralStatuses: true },
)

const backupFolderNotEmpty = problem(
  'conflict',
  'folder.not_empty',
  '{folder} is not empty: it contains {found}. Choose an empty or a new folder for the backup.',
)
