import { join, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { createSystemClock } from '../../lib/clock.ts'
import { problem } from '../../lib/problem.ts'
import { requireFolderOfUser } from '../../start/data-folder.ts'
import { acquireInstanceLock } from '../../start/instance-lock.ts'
import { migrationsFolder, provideDatabase } from '../../start/provide-database.ts'
import { createLocalIdentity } from '../../storage/local/local-identity.ts'
import type { S3Driver } from '../../storage/s3/s3-driver.ts'
import { createEmptyFolder } from '../backup/backup-folder.ts'
import { parseLocation } from '../backup/backup-location.ts'
import { openBucketSource, openFolderSource, type BackupSource } from '../backup/backup-source.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import {
  beginRestore,
  findRestoreRecord,
  requireEmptyStorage,
  type RestoreRecord,
} from '../backup/restore-record.ts'
import { adminCommand, type AdminCall } from './command.ts'
import { describeFiles, queueSchema, reportDamage } from './copied-files.ts'
import { openBackups } from './data-access.ts'
import { showProgress } from './show-progress.ts'

export const restore = adminCommand({
  name: 'restore',
  summary: 'restore a backup from a folder or a bucket',
  description: `Restore a backup to an empty data folder and, with DATABASE_URL, an empty database. Every file is compared with its
checksum. The location is that of a backup in a folder or in a bucket. Without a time, the most recent backup in the
bucket is restored. QUAYSIDE_STORAGE determines where the files are stored, independently of the backup. Run the command
again to resume an interrupted restore: files that were already restored are not copied again.`,
  parameters: ['<location>'],
  options: {},
  examples: [
    'QUAYSIDE_DATA_DIR=/srv/restored quayside-server admin restore /backup/2026-01-31',
    'QUAYSIDE_DATA_DIR=/srv/restored quayside-server admin restore s3://backups/quayside',
    'QUAYSIDE_DATA_DIR=/srv/restored quayside-server admin restore s3://backups/quayside/2026-01-31T020000Z',
  ],
  async run({ config: settings, args, terminal, log, closers }) {
    const config = { ...settings, dataDir: resolve(settings.dataDir) }
    const { dataDir } = config
    const found = await findRestoreRecord(dataDir)
    const source = await openSource(args[0], { config, closers, found })
    const { manifest, location, installationId } = source
    if (found === undefined) await createEmptyFolder(dataDir, dataFolderNotEmpty)
    await requireFolderOfUser(dataDir)
    const lock = await acquireInstanceLock(dataDir)
    closers.push(() => lock.release())
    const storage = await openBucket(config, { log, closers })
    const identity = storage?.identity ?? createLocalIdentity(join(dataDir, 'storage'))
    let record: RestoreRecord | undefined
    const begin = async (): Promise<RestoreRecord> =>
      (record ??= await beginRestore({ dataDir, location, manifest, identity, installationId }, found))
    // The embedded database is created in the data folder. A database of the operator may be refused, which must not
    // leave a record.
    const isEmbedded = (config.databaseDirectUrl ?? config.databaseUrl) === undefined
    if (isEmbedded || found !== undefined) await begin()
    else await requireEmptyStorage(identity)
    if (found !== undefined) terminal.report(`Resuming the interrupted restore of ${location}.`)
    const { connection } = await provideDatabase(config, log, closers)
    const copied = await restoreBackup({
      source,
      config,
      storage,
      identity,
      connection,
      queueSchema,
      migrationsFolder,
      begin,
      isResumed: found !== undefined,
      log,
      onProgress: showProgress(terminal),
    })
    terminal.print(`
Restored ${describeFiles(copied)} and the database from ${manifest.created_at} to ${
      storage === undefined ? dataDir : `${dataDir} and ${storage.identity.location}`
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

/** Opens a backup. Without a time, opens the backup of the interrupted restore, which may no longer be the most recent one. */
async function openSource(
  text: string,
  { config, closers, found }: Pick<AdminCall, 'config' | 'closers'> & { found: RestoreRecord | undefined },
): Promise<BackupSource> {
  const location = parseLocation(text)
  if (location.kind === 'folder') return openFolderSource(location.folder)
  const backups = await openBackups(location, { config, closers })
  const interrupted = found === undefined ? undefined : parseLocation(found.location)
  const isSame =
    interrupted?.kind === 'bucket' &&
    interrupted.bucket === location.bucket &&
    interrupted.prefix === location.prefix
  return openBucketSource(backups, location.time ?? (isSame ? interrupted.time : undefined))
}

/** Opens the bucket to which the files are restored; undefined if they are restored to the data folder. */
async function openBucket(
  { storage }: Config,
  { log, closers }: Pick<AdminCall, 'log' | 'closers'>,
): Promise<S3Driver | undefined> {
  if (storage.kind === 'local') return undefined
  const { createS3Driver } = await import('../../storage/s3/s3-driver.ts')
  const driver = createS3Driver({ settings: storage, clock: createSystemClock(), log })
  closers.push(() => driver.close())
  return driver
}

const dataFolderNotEmpty = problem(
  'conflict',
  'folder.not_empty',
  '{folder} is not empty: it contains {found}. Restore to a new folder: set QUAYSIDE_DATA_DIR.',
)
