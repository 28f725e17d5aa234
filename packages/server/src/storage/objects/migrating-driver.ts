import type { SealedObject, StorageDriver } from '../driver.ts'
import type { StoreLocator } from './store-locator.ts'

type Options = {
  /** The store that receives new files. */
  current: StorageDriver
  /** The store from which `admin migrate-storage` copies files to the current one. */
  previous: StorageDriver
  locator: StoreLocator
  /** Returns the manifest of a sealed key, or undefined if it no longer exists. */
  findObject: (key: string) => Promise<SealedObject | undefined>
}

/**
 * Creates a driver for two stores while files are copied from the previous to the current one. Each manifest belongs to
 * the store that created it. Uploads whose parts were sent to the previous store are completed there.
 */
export function createMigratingDriver(options: Options): StorageDriver {
  const { current, previous, locator, findObject } = options
  const both = [previous, current]
  const ofObject = (object: SealedObject) => locator.ofObject(object)

  return {
    signPut: (file, putOptions) => current.signPut(file, putOptions),

    ...multipartOperations(options),

    ...quarantineOperations(both),

    requireSpace: (key, sizeBytes) => current.requireSpace(key, sizeBytes),

    findCapacity: () => current.findCapacity(),

    findSealed: async (key) => (await current.findSealed(key)) ?? previous.findSealed(key),

    async prune(object) {
      await (await ofObject(object)).prune(object)
    },

    store: (key, content) => current.store(key, content),

    async *read(object, range) {
      yield* (await ofObject(object)).read(object, range)
    },

    requireComplete: async (object) => (await ofObject(object)).requireComplete(object),

    checksums: async (object, checksumOptions) => (await ofObject(object)).checksums(object, checksumOptions),

    async signGet({ key }, download) {
      const object = await findObject(key)
      return (object === undefined ? current : await ofObject(object)).signGet({ key }, download)
    },

    async remove(object) {
      for (const driver of both) await driver.remove(object)
    },

    async listClientOrigins() {
      const lists = await Promise.all(both.map((driver) => driver.listClientOrigins()))
      return [...new Set(lists.flat())]
    },

    identity: current.identity,

    async check() {
      await Promise.all(both.map((driver) => driver.check()))
    },
  }
}

/** Returns the operations on uploads that are not sealed, whose parts can be in both stores. */
function multipartOperations({ current, previous, locator }: Omit<Options, 'findObject'>) {
  const both = [previous, current]
  return {
    openMultipart: (file) => current.openMultipart(file),
    hasMultipart: async (key, multipartId) =>
      (await locator.ofUpload(key, multipartId)).hasMultipart(key, multipartId),
    abortMultipart: async (key, multipartId) =>
      (await locator.ofUpload(key, multipartId)).abortMultipart(key, multipartId),
    signPart: async (file, part) => (await locator.ofUpload(file.key, part.multipartId)).signPart(file, part),

    storePart: async (key, part, body) =>
      (await locator.ofUpload(key, part.multipartId)).storePart(key, part, body),

    async listStaged(key, multipartId) {
      const lists = await Promise.all(
        both.map((driver) => driver.listStaged(key, locator.idFor(driver, multipartId))),
      )
      return lists.flat().toSorted((a, b) => a.partNumber - b.partNumber)
    },

    receivedBytes: (key) => both.reduce((sum, driver) => sum + driver.receivedBytes(key), 0),

    // The sources of a composition may be in the other store, or be copied there before it is verified.
    canCompose: async () => false,

    seal: async (key, multipartId, chosen, composition) =>
      (await locator.ofParts(key, multipartId, chosen)).seal(key, multipartId, chosen, composition),

    protect(key, parts) {
      const releases = both.map((driver) => driver.protect(key, parts))
      return () => {
        for (const release of releases) release()
      }
    },

    async discard(key, multipartId) {
      for (const driver of both) await driver.discard(key, locator.idFor(driver, multipartId))
    },

    checksumsOfStaged: async (key, multipartId, chosen, options) =>
      (await locator.ofParts(key, multipartId, chosen)).checksumsOfStaged(key, multipartId, chosen, options),

    async discardPart(key, multipartId, name) {
      for (const driver of both) await driver.discardPart(key, locator.idFor(driver, multipartId), name)
    },
  } satisfies Partial<StorageDriver>
}

/** Returns the operations that find files without an owner in both stores and set them aside. */
const quarantineOperations = (both: readonly StorageDriver[]) =>
  ({
    async *listKeys(query) {
      for (const driver of both) yield* driver.listKeys(query)
    },

    async quarantine(found, at) {
      for (const driver of both) await driver.quarantine(found, at)
    },

    async *listQuarantined() {
      for (const driver of both) yield* driver.listQuarantined()
    },

    async restore(found) {
      for (const driver of both) await driver.restore(found)
    },

    async deleteQuarantined(found) {
      for (const driver of both) await driver.deleteQuarantined(found)
    },
  }) satisfies Partial<StorageDriver>
