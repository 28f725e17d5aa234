import { connectDatabase } from '../../database/connect.ts'
import { countUploadsElsewhere } from '../../features/uploads/open-upload.db.ts'
import { createSystemClock } from '../../lib/clock.ts'
import { sizeString } from '../../lib/sizes.ts'
import { provideMigration } from '../../start/provide-migration.ts'
import { assertSameInstallation } from '../../storage/installation/installation.ts'
import { migrateObjects } from '../../storage/objects/migrate-objects.ts'
import { adminCommand } from './command.ts'
import { connectToAnyDatabase, requireDataFolder, usesDataFolder } from './data-access.ts'
import { showProgress } from './show-progress.ts'
import { incompleteExitCode } from './unusable-stores.ts'

/** Names the uploads because of which the previous storage is still in use, and when to run the command again. */
function describeOpenUploads(
  { count, expiresAt }: { count: number; expiresAt: string | null },
  location: string,
): string {
  const are = count === 1 ? '1 open upload was' : `${count} open uploads were`
  const at = new Date(expiresAt ?? 0).toISOString().replace(/\.\d+Z$/, 'Z')
  return `
Not finished: ${are} requested before the switch and can still store files in the
${location}. Keep it and QUAYSIDE_STORAGE_PREVIOUS, and run the command again after ${at}, when
${count === 1 ? 'it has expired unless it is' : 'they have expired unless they are'} continued.`
}

export const migrateStorage = adminCommand({
  name: 'migrate-storage',
  summary: 'copy the files from the previous to the current storage while the server is running',
  description: `Copy every file from the storage in QUAYSIDE_STORAGE_PREVIOUS to the one in QUAYSIDE_STORAGE, and compare the
checksums of both. Between two buckets or prefixes, QUAYSIDE_S3_PREVIOUS_BUCKET, QUAYSIDE_S3_PREVIOUS_PREFIX and other
QUAYSIDE_S3_PREVIOUS settings select the previous one; a setting without a value is the same for both, except the
prefix. Restart the server with both storages first: it stores new files in the current storage and reads each file from
where it is. Run the command again to continue after an interruption. Exits with 3 while uploads that were requested
before the restart are open, because their files are still in the previous storage, and prints when to run it again.
When no file remains, restart the server without QUAYSIDE_STORAGE_PREVIOUS.`,
  parameters: [],
  options: {},
  examples: [
    'QUAYSIDE_STORAGE=s3 QUAYSIDE_STORAGE_PREVIOUS=local quayside-server admin migrate-storage',
    'QUAYSIDE_STORAGE_PREVIOUS=s3 QUAYSIDE_S3_PREVIOUS_BUCKET=old quayside-server admin migrate-storage',
  ],
  async run({ config: settings, terminal, log, closers }) {
    const config = usesDataFolder(settings) ? await requireDataFolder(settings) : settings
    const connection = await connectToAnyDatabase(config, { log, closers })
    const { db, close } = connectDatabase({ connection, maxConnections: 4, log })
    closers.push(close)
    const context = { clock: createSystemClock(), log, closers }
    const { identities, open } = await provideMigration(config, db, context)
    // The current storage has the identity of the installation once the server has started with it.
    for (const identity of [identities.from, identities.to]) await assertSameInstallation(db, identity)
    const onProgress = showProgress(terminal)
    const stores = await open()
    const countUploads = () => countUploadsElsewhere(db, identities.to.address)
    const copied = { objects: 0, sizeBytes: 0 }
    let migrated: Awaited<ReturnType<typeof migrateObjects>>
    let uploads = await countUploads()
    let openBefore: number
    do {
      // An upload that is verified from now on can add a file that this run does not copy.
      openBefore = uploads.count
      migrated = await migrateObjects({ db, ...stores, onProgress })
      copied.objects += migrated.objects
      copied.sizeBytes += migrated.sizeBytes
      // A node that was not restarted with both storages requests uploads to the previous one until now.
      uploads = await countUploads()
    } while (openBefore > 0 && uploads.count === 0)
    const { objects, sizeBytes } = copied
    terminal.print(`Copied ${objects} ${objects === 1 ? 'file' : 'files'} (${sizeString(sizeBytes)}).`)
    const { damagedKeys, unreadableKeys } = migrated
    for (const key of damagedKeys) terminal.report(`quayside-server: the file ${key} is missing or damaged`)
    for (const key of unreadableKeys)
      terminal.report(
        `quayside-server: the bytes of the file ${key} were changed on the way; check the network and any proxy between the server and the store, and run the command again`,
      )
    if (uploads.count > 0) terminal.print(describeOpenUploads(uploads, identities.from.location))
    if (damagedKeys.length + unreadableKeys.length > 0) return 1
    if (uploads.count > 0) return incompleteExitCode
    terminal.print(`
All files are in the ${identities.to.location}. Next, restart the server without QUAYSIDE_STORAGE_PREVIOUS. Once it works,
delete the files in the ${identities.from.location}.`)
    return 0
  },
})
