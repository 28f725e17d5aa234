import type { Executor } from '../../database/transaction.ts'
import type { Progress } from '../../lib/progress.ts'
import { DamagedFile, ReadMismatch } from '../damaged-file.ts'
import type { SealedObject, StorageDriver } from '../driver.ts'
import { eachObject } from './each-object.ts'
import type { StoreLocator } from './store-locator.ts'
import { replaceManifest } from './stored-objects.db.ts'

type Stores = {
  from: StorageDriver
  to: StorageDriver
  /** Copies an object without sending it through this process; returns undefined if that is not possible. */
  copyWithinStore: (object: SealedObject) => Promise<SealedObject | undefined>
}

type Options = Stores & {
  db: Executor
  locator: Pick<StoreLocator, 'ofObject'>
  onProgress: (progress: Progress) => void
}

type MigratedObjects = {
  objects: number
  sizeBytes: number
  damagedKeys: string[]
  /** The keys of objects whose bytes were changed on the way from or to a store, and which the next run tries again. */
  unreadableKeys: string[]
}

type Outcome = 'migrated' | 'skipped' | 'damaged' | 'unreadable'

/**
 * Copies every object of the service's storage that is not in the target store yet, compares the checksums of the
 * original and the copy, and then replaces the manifest. A service that uses both stores can run at the same time. If a
 * run is interrupted, the next one continues with the remaining objects. Skips objects that are missing, damaged or
 * unreadable and returns their keys.
 */
export async function migrateObjects({
  db,
  locator,
  onProgress,
  ...stores
}: Options): Promise<MigratedObjects> {
  const migrated: MigratedObjects = { objects: 0, sizeBytes: 0, damagedKeys: [], unreadableKeys: [] }
  await eachObject({ db, scope: 'hosted', onProgress }, async ({ isDeleted, ...object }) => {
    if (isDeleted || (await locator.ofObject(object)) === stores.to) return
    const outcome = await migrateObject(db, object, stores)
    if (outcome === 'damaged') migrated.damagedKeys.push(object.key)
    if (outcome === 'unreadable') migrated.unreadableKeys.push(object.key)
    if (outcome === 'migrated') {
      migrated.objects += 1
      migrated.sizeBytes += object.sizeBytes
    }
  })
  return migrated
}

async function migrateObject(db: Executor, object: SealedObject, stores: Stores): Promise<Outcome> {
  const { from, to } = stores
  try {
    const expected = await from.checksums(object)
    const copy = await copyObject(object, stores)
    const found = await to.checksums(copy, { recorded: expected })
    if (found.md5 !== expected.md5 || found.sha256 !== expected.sha256) {
      await to.remove(object)
      // The bytes were changed on the way, or an interrupted run left other ones. The original is read again.
      return 'unreadable'
    }
    return (await replaceManifest(db, object, copy)) ? 'migrated' : 'skipped'
  } catch (error) {
    if (error instanceof DamagedFile) return 'damaged'
    if (error instanceof ReadMismatch) return 'unreadable'
    throw error
  }
}

/** Returns the copy that an interrupted run has left, or copies the object. */
async function copyObject(
  object: SealedObject,
  { from, to, copyWithinStore }: Stores,
): Promise<SealedObject> {
  const { key, sizeBytes } = object
  const existing = await to.findSealed(key)
  if (existing?.sizeBytes === sizeBytes) return existing
  if (existing !== undefined) await to.remove({ key })
  const copied = await copyWithinStore(object)
  return copied ?? to.store(key, { sizeBytes, chunks: from.read(object) })
}
