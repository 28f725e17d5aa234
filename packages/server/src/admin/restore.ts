import { resolve } from 'node:path'
import { createEmptyFolder } from '../backup/backup-folder.ts'
import { parseLocation } from '../backup/backup-location.ts'
import { openBucketSource, openFolderSource, type BackupSource } from '../backup/backup-source.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import type { Config } from '../config.ts'
import { requireFolderOfUser } from '../data-folder.ts'
import { createSystemClock } from '../lib/clock.ts'
import { acquireInstanceLock } from '../lib/instance-lock.ts'
import { Problem } from '../lib/problem.ts'
import { migrationsFolder, provideDatabase } from '../provide-database.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { adminCommand, type AdminCall } from './command.ts'
import { describeFiles, queueSchema, reportDamage } from './copied-files.ts'
import { openBackups } from './data-access.ts'
import { showProgress } from './show-progress.ts'

export const restore = adminCommand({
  name: 'restore',
  summary: 'restore a backup from a folder or a bucket',
  description: `Restore a backup to an empty data folder and, with DATABASE_URL, an empty database. Every file is compared with its
checksum. The location is that of a backup in a folder or in a bucket. Without a time, the most recent backup in the
bucket is restored. QUAYSIDE_STORAGE determines where the files are stored, independently of the backup.`,
  parameters: ['<location>'],
  options: {},
  examples: [
    'QUAYSIDE_DATA_DIR=/srv/restored quayside-server admin restore /backup/2026-01-31',
    'QUAYSIDE_DATA_DIR=/srv/restored quayside-server admin restore s3://backups/quayside',
    'QUAYSIDE_DATA_DIR=/srv/restored quayside-server admin restore s3://backups/quayside/2026-01-31T020000Z',
  ],
  async run({ config: settings, args, terminal, log, closers }) {
    const config = { ...settings, dataDir: resolve(settings.dataDir) }
    const source = await openSource(args[0], { config, closers })
    const { manifest } = source
    await createEmptyFolder(
      config.dataDir,
      'Restore to a new folder: set QUAYSIDE_DATA_DIR. If an earlier restore failed, delete what it created.',
    )
    await requireFolderOfUser(config.dataDir)
    const lock = await acquireInstanceLock(config.dataDir)
    closers.push(() => lock.release())
    const storage = await openBucket(config, { log, closers })
    await requireEmptyStorage(storage)
    const { connection } = await provideDatabase(config, log, closers)
    const copied = await restoreBackup({
      source,
      config,
      storage,
      connection,
      queueSchema,
      migrationsFolder,
      log,
      onProgress: showProgress(terminal),
    })
    terminal.print(`
Restored ${describeFiles(copied)} and the database from ${manifest.created_at} to ${
      storage === undefined ? config.dataDir : `${config.dataDir} and ${storage.identity.location}`
    }.`)
    if (!manifest.has_secret && config.secret === undefined)
      terminal.print(
        'The backup contains no master secret. Set QUAYSIDE_SECRET to the previous value before you start the server.',
      )
    return reportDamage(
      terminal,
      copied,
      'The server can start without these files. Copy them from another backup.',
    )
  },
})

async function openSource(
  text: string,
  { config, closers }: Pick<AdminCall, 'config' | 'closers'>,
): Promise<BackupSource> {
  const location = parseLocation(text)
  if (location.kind === 'folder') return openFolderSource(location.folder)
  return openBucketSource(await openBackups(location, { config, closers }), location.time)
}

/** Opens the bucket to which the files are restored; undefined if they are restored to the data folder. */
async function openBucket(
  { storage }: Config,
  { log, closers }: Pick<AdminCall, 'log' | 'closers'>,
): Promise<StorageDriver | undefined> {
  if (storage.kind === 'local') return undefined
  const { createS3Driver } = await import('../storage/s3-driver.ts')
  const driver = createS3Driver({ settings: storage, clock: createSystemClock(), log })
  closers.push(() => driver.close())
  return driver
}

/** Throws if the bucket contains the files of an installation. */
async function requireEmptyStorage(storage: StorageDriver | undefined): Promise<void> {
  if (storage === undefined) return
  if ((await storage.identity.findId()) === undefined && !(await storage.identity.hasFiles())) return
  throw new Problem(
    'conflict',
    'storage.not_empty',
    `The ${storage.identity.location} contains the files of an installation. Use an empty bucket or another QUAYSIDE_S3_PREFIX.`,
  )
}
