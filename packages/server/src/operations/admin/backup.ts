import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { problem } from '../../lib/problem.ts'
import { sizeString } from '../../lib/sizes.ts'
import { parseLocation, type BucketLocation } from '../backup/backup-location.ts'
import { createBackup } from '../backup/create-backup.ts'
import { deleteOldBackups } from '../backup/delete-old-backups.ts'
import { adminCommand, type AdminCall } from './command.ts'
import { describeFiles, queueSchema, reportDamage } from './copied-files.ts'
import { connectToAnyDatabase, openBackups, openInstallation, requireDataFolder } from './data-access.ts'
import { showProgress } from './show-progress.ts'

export const backup = adminCommand({
  name: 'backup',
  summary: 'write the database, the files and the master secret to an empty folder or to a bucket',
  description: `Write the database, the files and the master secret to an empty folder or to a bucket. A backup can be made while the
server is running. Files are linked instead of copied if the folder is on the same file system as the data folder. A
bucket contains any number of backups, which share their files: only new files are sent. Run the command again to resume
an interrupted backup to a bucket. QUAYSIDE_BACKUP_S3_ENDPOINT, QUAYSIDE_BACKUP_S3_REGION,
QUAYSIDE_BACKUP_S3_ACCESS_KEY_ID and QUAYSIDE_BACKUP_S3_SECRET_ACCESS_KEY select the store of the bucket.`,
  parameters: ['<location>'],
  options: {
    previous: {
      value: '<folder>',
      description: `an earlier backup in a folder; files that it contains are linked instead of copied if
both backups are on the same file system`,
    },
    'keep-days': {
      value: '<days>',
      description: `after a backup to a bucket, delete backups there that are older than this,
except the most recent one`,
    },
  },
  examples: [
    'quayside-server admin backup /backup/2026-01-31',
    'quayside-server admin backup /backup/2026-02-01 --previous /backup/2026-01-31',
    'quayside-server admin backup s3://backups/quayside --keep-days 30',
  ],
  async run({ config: settings, args, options, terminal, log, closers }) {
    const location = parseLocation(args[0])
    if (location.kind === 'bucket' && options.previous !== undefined) throw needsNoPrevious()
    const keepDays = readDays(options['keep-days'])
    if (location.kind === 'folder' && keepDays !== undefined) throw keepDaysNeedsBucket()
    const { config, connection, storage } = await openSource(settings, { log, closers })
    const context = {
      config,
      storage,
      connection,
      queueSchema,
      log,
      onProgress: showProgress(terminal),
    }
    const { hasSecret, copied, place, sent, deleted } =
      location.kind === 'bucket'
        ? await backUpToBucket(location, { ...context, keepDays }, closers)
        : await backUpToFolder(location.folder, options.previous, context)
    terminal.print(`
The backup is in ${place}: ${describeFiles(copied)}, the database${hasSecret ? ' and the master secret' : ''}.`)
    if (sent !== undefined)
      terminal.print(`New files sent to the bucket: ${sent.objects} (${sizeString(sent.sizeBytes)}).`)
    if (deleted > 0) terminal.print(`Old backups deleted: ${deleted}.`)
    if (!hasSecret) terminal.print('The backup does not include QUAYSIDE_SECRET. Store its value separately.')
    return reportDamage(terminal, copied, 'Restore the skipped files from an earlier backup.')
  },
})

const needsNoPrevious = problem(
  'invalid',
  'config.invalid',
  'A backup to a bucket needs no --previous: it sends only files that the bucket does not contain.',
)

const keepDaysNeedsBucket = problem(
  'invalid',
  'config.invalid',
  'The option --keep-days requires a location in a bucket.',
)

function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw invalidKeepDays({ text })
}

const invalidKeepDays = problem(
  'invalid',
  'config.invalid',
  '--keep-days must be a number of days, not "{text}".',
)

type Context = Omit<Parameters<typeof createBackup>[0], 'folder' | 'previous'>

async function backUpToFolder(folder: string, previous: string | undefined, context: Context) {
  const { hasSecret, ...copied } = await createBackup({
    ...context,
    folder,
    previous: previous === undefined ? undefined : resolve(previous),
  })
  return { hasSecret, copied, place: folder, sent: undefined, deleted: 0 }
}

async function backUpToBucket(
  location: BucketLocation,
  { keepDays, ...context }: Context & { config: Config; keepDays: number | undefined },
  closers: AdminCall['closers'],
) {
  if (location.time !== undefined) throw locationWithTime()
  const { config } = context
  requireOtherPlace(location, config)
  const bucket = await openBackups(location, { config, closers })
  const { createBucketBackup } = await import('../backup/create-bucket-backup.ts')
  const now = new Date()
  const { hasSecret, time, ...copied } = await createBucketBackup({ ...context, bucket, now })
  const deleted = keepDays === undefined ? 0 : await deleteOldBackups(bucket, { keepDays, now })
  const sent = { objects: copied.sentObjects, sizeBytes: copied.sentBytes }
  return { hasSecret, copied, place: bucket.describe(time), sent, deleted }
}

const locationWithTime = problem(
  'invalid',
  'backup.invalid_location',
  'Specify the location of the backups without a time. Each backup in it is named for its time.',
)

/** Throws if the backup would be stored between the files of the service. */
function requireOtherPlace({ bucket, prefix }: BucketLocation, config: Config): void {
  const { storage, previousStorage, backupStore } = config
  const isShared = [storage, previousStorage].some(
    (store) =>
      store?.kind === 's3' &&
      store.endpoint === backupStore.endpoint &&
      store.bucket === bucket &&
      (store.prefix === prefix || (store.prefix !== '' && prefix.startsWith(store.prefix))),
  )
  if (!isShared) return
  throw backupInsideData({ bucket, prefix })
}

const backupInsideData = problem(
  'invalid',
  'backup.inside_data',
  'The location s3://{bucket}/{prefix} contains the files of the server. Choose another bucket or prefix.',
)

/** Opens what is backed up. `storage` is undefined if all files are in the data folder, from which they can be linked. */
async function openSource(settings: Config, context: Pick<AdminCall, 'log' | 'closers'>) {
  if (settings.storage.kind !== 'local' || settings.previousStorage !== undefined)
    return openInstallation(settings, context)
  const config = await requireDataFolder(settings)
  return { config, connection: await connectToAnyDatabase(config, context), storage: undefined }
}
