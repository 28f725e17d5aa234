import { connectDatabase } from '../database/connect.ts'
import { assertSameInstallation } from '../installation/installation.ts'
import { createSystemClock } from '../lib/clock.ts'
import { sizeString } from '../lib/sizes.ts'
import { provideMigration } from '../provide-migration.ts'
import { migrateObjects } from '../storage/migrate-objects.ts'
import { adminCommand } from './command.ts'
import { connectToAnyDatabase, requireDataFolder, usesDataFolder } from './data-access.ts'
import { showProgress } from './show-progress.ts'

export const migrateStorage = adminCommand({
  name: 'migrate-storage',
  summary: 'copy the files from the previous to the current storage while the server is running',
  description: `Copy every file from the storage in QUAYSIDE_STORAGE_PREVIOUS to the one in QUAYSIDE_STORAGE, and compare the
checksums of both. Between two buckets or prefixes, QUAYSIDE_S3_PREVIOUS_BUCKET, QUAYSIDE_S3_PREVIOUS_PREFIX and other
QUAYSIDE_S3_PREVIOUS settings select the previous one; a setting without a value is the same for both, except the
prefix. Restart the server with both storages first: it stores new files in the current storage and reads each file from
where it is. Run the command again to continue after an interruption. When no file remains, restart the server without
QUAYSIDE_STORAGE_PREVIOUS.`,
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
    const { objects, sizeBytes, damagedKeys } = await migrateObjects({ db, ...(await open()), onProgress })
    terminal.print(`Copied ${objects} ${objects === 1 ? 'file' : 'files'} (${sizeString(sizeBytes)}).`)
    for (const key of damagedKeys) terminal.report(`quayside-server: the file ${key} is missing or damaged`)
    if (damagedKeys.length > 0) return 1
    terminal.print(`
All files are in the ${identities.to.location}. Next, restart the server without QUAYSIDE_STORAGE_PREVIOUS. Once it works,
delete the files in the ${identities.from.location}.`)
    return 0
  },
})
