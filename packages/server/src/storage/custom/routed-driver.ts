import type { Logger } from 'pino'
import type { StorageDriver } from '../driver.ts'
import { isStoreProblem } from './store-driver.ts'
import { storeIdOf } from './store-key.ts'

/** The stores of applications outside the storage of the service. */
export type StoreDrivers = {
  /** Returns the driver of a store. Throws if there is no such store. */
  open(storeId: string): Promise<StorageDriver>
  listIds(): Promise<string[]>
}

type DriverOf = (key: string) => Promise<StorageDriver>

type Options = { hosted: StorageDriver; stores: StoreDrivers; log: Pick<Logger, 'warn'> }

/**
 * Creates a driver that sends each call to the store that the key names. Lists skip custom stores that cannot be reached,
 * so that they do not affect others. Capacity, identity and health are those of the storage of the service.
 */
export function createRoutedDriver({ hosted, stores, log }: Options): StorageDriver {
  const driverOf: DriverOf = async (key) => {
    const storeId = storeIdOf(key)
    return storeId === null ? hosted : stores.open(storeId)
  }

  /** Lists the items of every store. */
  async function* listAll<T>(list: (driver: StorageDriver) => AsyncIterable<T>): AsyncGenerator<T> {
    yield* list(hosted)
    for (const store of await stores.listIds()) {
      try {
        yield* list(await stores.open(store))
      } catch (error) {
        if (!isStoreProblem(error)) throw error
        log.warn({ err: error, store }, 'skipped a custom store that cannot be used')
      }
    }
  }

  return {
    ...stagingOperations(driverOf, { hosted, log }),
    findCapacity: () => hosted.findCapacity(),
    findSealed: async (key) => (await driverOf(key)).findSealed(key),
    store: async (key, content) => (await driverOf(key)).store(key, content),
    async *read(object, range) {
      yield* (await driverOf(object.key)).read(object, range)
    },
    requireComplete: async (object) => (await driverOf(object.key)).requireComplete(object),
    checksums: async (object, options) => (await driverOf(object.key)).checksums(object, options),
    signGet: async (object, download) => (await driverOf(object.key)).signGet(object, download),
    remove: async (object) => (await driverOf(object.key)).remove(object),
    listKeys: (query) => listAll((driver) => driver.listKeys(query)),
    quarantine: async (found, at) => (await driverOf(found.key)).quarantine(found, at),
    listQuarantined: () => listAll((driver) => driver.listQuarantined()),
    restore: async (found) => (await driverOf(found.key)).restore(found),
    deleteQuarantined: async (found) => (await driverOf(found.key)).deleteQuarantined(found),
    async listClientOrigins(key) {
      if (key === undefined) return hosted.listClientOrigins()
      try {
        return await (await driverOf(key)).listClientOrigins(key)
      } catch (error) {
        if (!isStoreProblem(error)) throw error
        log.warn({ err: error, key }, 'a custom store cannot be used')
        return []
      }
    },
    identity: hosted.identity,
    check: () => hosted.check(),
  }
}

/** Returns the operations on uploads that are not sealed. */
const stagingOperations = (driverOf: DriverOf, { hosted, log }: Pick<Options, 'hosted' | 'log'>) =>
  ({
    signPut: async (file, options) => (await driverOf(file.key)).signPut(file, options),
    requireSpace: async (key, sizeBytes) => (await driverOf(key)).requireSpace(key, sizeBytes),
    openMultipart: async (file) => (await driverOf(file.key)).openMultipart(file),
    hasMultipart: async (key, multipartId) => (await driverOf(key)).hasMultipart(key, multipartId),
    abortMultipart: async (key, multipartId) => (await driverOf(key)).abortMultipart(key, multipartId),
    signPart: async (file, part) => (await driverOf(file.key)).signPart(file, part),
    storePart: async (key, part, body) => (await driverOf(key)).storePart(key, part, body),
    listStaged: async (key, multipartId) => (await driverOf(key)).listStaged(key, multipartId),
    // Clients send parts to a custom store directly, so it is not known how much of a part has arrived.
    receivedBytes: (key) => (storeIdOf(key) === null ? hosted.receivedBytes(key) : 0),
    canCompose: async (key) => (await driverOf(key)).canCompose(key),
    seal: async (key, multipartId, chosen, composition) =>
      (await driverOf(key)).seal(key, multipartId, chosen, composition),
    // S3 keeps only the last attempt at a part, so there is nothing to protect.
    protect: (key, parts) => (storeIdOf(key) === null ? hosted.protect(key, parts) : () => {}),
    discard: async (key, multipartId) => (await driverOf(key)).discard(key, multipartId),
    async prune(object) {
      try {
        await (await driverOf(object.key)).prune(object)
      } catch (error) {
        log.warn({ err: error, key: object.key }, 'could not delete a staged file')
      }
    },
    checksumsOfStaged: async (key, multipartId, chosen, options) =>
      (await driverOf(key)).checksumsOfStaged(key, multipartId, chosen, options),
    discardPart: async (key, multipartId, name) => (await driverOf(key)).discardPart(key, multipartId, name),
  }) satisfies Partial<StorageDriver>
