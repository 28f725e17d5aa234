import type { Config } from '../config/config.ts'
import type { Db } from '../database/transaction.ts'
import { problem } from '../lib/problem.ts'
import type { SealedObject } from '../storage/driver.ts'
import { createLocator, provideStorage, type StorageContext } from './provide-storage.ts'

/**
 * Prepares the copy of all files from the previous to the current storage. `open` returns what `migrateObjects` needs;
 * the caller must have checked the identities.
 */
export async function provideMigration(config: Config, db: Db, context: StorageContext) {
  const { storage, previousStorage } = config
  if (previousStorage === undefined) throw noPreviousStorage()
  const from = await provideStorage(previousStorage, config, context)
  const to = await provideStorage(storage, config, context)
  return {
    identities: { from: from.identity, to: to.identity },
    async open() {
      const options = {
        db,
        publicUrl: config.publicUrl,
        // The drivers sign no URLs.
        secrets: { secret: '' },
        isSoleService: false,
        groupId: undefined,
      }
      const drivers = { from: (await from.open(options)).driver, to: (await to.open(options)).driver }
      return {
        ...drivers,
        locator: createLocator({ s3: to.s3, driver: drivers.to }, { s3: from.s3, driver: drivers.from }),
        copyWithinStore: async (object: SealedObject) =>
          previousStorage.kind === 's3' ? to.s3?.copyFrom(previousStorage, object) : undefined,
      }
    },
  }
}

const noPreviousStorage = problem(
  'invalid',
  'config.invalid',
  'Set QUAYSIDE_STORAGE to the new storage and QUAYSIDE_STORAGE_PREVIOUS to the one that contains the files, and restart the server with these settings first.',
)
