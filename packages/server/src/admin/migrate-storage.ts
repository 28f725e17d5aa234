import { connectDatabase } from '../database/connect.ts'
import { assertSameInstallation } from '../installation/installation.ts'
import { createSystemClock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { sizeString } from '../lib/sizes.ts'
import { provideStorage } from '../provide-storage.ts'
import { migrateObjects } from '../storage/migrate-objects.ts'
import { adminCommand } from './command.ts'
import { connectToAnyDatabase, requireDataFolder } from './data-access.ts'
import { showProgress } from './show-progress.ts'

export const migrateStorage = adminCommand({
  name: 'migrate-storage',
  summary: 'copy the files from the previous to the current storage while the server is running',
  description: `Copy every file from the storage in QUAYSIDE_STORAGE_PREVIOUS to the one in QUAYSIDE_STORAGE, and compare the
checksums of both. Restart the server with both settings first: it stores new files in the current storage and reads
each file from where it is. Run the command again to continue after an interruption. When no file remains, restart the
server without QUAYSIDE_STORAGE_PREVIOUS.`,
  parameters: [],
  options: {},
  examples: ['QUAYSIDE_STORAGE=s3 QUAYSIDE_STORAGE_PREVIOUS=local quayside-server admin migrate-storage'],
  async run({ config: settings, terminal, log, closers }) {
    const { storage, previousStorage } = settings
    if (previousStorage === undefined)
      throw new Problem(
        'invalid',
        'config.invalid',
        'Set QUAYSIDE_STORAGE to the new storage and QUAYSIDE_STORAGE_PREVIOUS to the one that contains the files, and restart the server with these settings first.',
      )
    const config = await requireDataFolder(settings)
    const connection = await connectToAnyDatabase(config, { log, closers })
    const { db, close } = connectDatabase({ connection, maxConnections: 4, log })
    closers.push(close)
    const context = { clock: createSystemClock(), log, closers }
    const [from, to] = [
      await provideStorage(previousStorage, config, context),
      await provideStorage(storage, config, context),
    ]
    // The current storage has the identity of the installation once the server has started with it.
    for (const { identity } of [from, to]) await assertSameInstallation(db, identity)
    const options = {
      db,
      publicUrl: config.publicUrl,
      // This command signs no URLs.
      secrets: { secret: '' },
      isSoleService: false,
      groupId: undefined,
    }
    const { objects, sizeBytes, damagedKeys } = await migrateObjects({
      db,
      from: (await from.open(options)).driver,
      to: (await to.open(options)).driver,
      toKind: to.kind,
      onProgress: showProgress(terminal),
    })
    terminal.print(`Copied ${objects} ${objects === 1 ? 'file' : 'files'} (${sizeString(sizeBytes)}).`)
    for (const key of damagedKeys) terminal.report(`quayside-server: the file ${key} is missing or damaged`)
    if (damagedKeys.length > 0) return 1
    terminal.print(`
All files are in the ${to.identity.location}. Next, restart the server without QUAYSIDE_STORAGE_PREVIOUS. Once it works,
delete the files in the ${from.identity.location}.`)
    return 0
  },
})
