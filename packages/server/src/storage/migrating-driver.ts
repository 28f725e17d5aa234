import type { SealedObject, StagedPart, StorageDriver } from './driver.ts'
import { parsePartName } from './local-layout.ts'

export type StoreKind = 'local' | 's3'

/** Returns the kind of store that created a part or segment, which its name reveals. */
const storeOf = (name: string): StoreKind => (parsePartName(name) === undefined ? 's3' : 'local')

export const storeOfObject = ({ segments }: Pick<SealedObject, 'segments'>): StoreKind =>
  storeOf(segments[0]?.name ?? '')

type Options = {
  /** The store that receives new files. */
  current: StorageDriver
  currentKind: StoreKind
  /** The store from which `admin migrate-storage` copies files to the current one. */
  previous: StorageDriver
  /** Returns the manifest of a sealed key, or undefined if it no longer exists. */
  findObject: (key: string) => Promise<SealedObject | undefined>
}

/**
 * Creates a driver for two stores while files are copied from the previous to the current one. Each manifest belongs to
 * the store that created it. Uploads whose parts were sent to the previous store are completed there.
 */
export function createMigratingDriver({
  current,
  currentKind,
  previous,
  findObject,
}: Options): StorageDriver {
  const both = [previous, current]
  const driverOf = (kind: StoreKind): StorageDriver => (kind === currentKind ? current : previous)
  const ofParts = ([first]: StagedPart[]): StorageDriver => driverOf(storeOf(first?.name ?? ''))
  const ofObject = (object: SealedObject): StorageDriver => driverOf(storeOfObject(object))
  // Only S3 has multipart IDs.
  const ofMultipart = (multipartId: string): StorageDriver => driverOf(multipartId === '' ? 'local' : 's3')
  const idFor = (driver: StorageDriver, multipartId: string): string =>
    driver === ofMultipart(multipartId) ? multipartId : ''

  return {
    signPut: (file, options) => current.signPut(file, options),
    requireSpace: (sizeBytes) => current.requireSpace(sizeBytes),
    findCapacity: () => current.findCapacity(),
    openMultipart: (file) => current.openMultipart(file),
    signPart: (file, part) => ofMultipart(part.multipartId).signPart(file, part),

    async listStaged(key, multipartId) {
      const lists = await Promise.all(
        both.map((driver) => driver.listStaged(key, idFor(driver, multipartId))),
      )
      return lists.flat().toSorted((a, b) => a.partNumber - b.partNumber)
    },

    receivedBytes: (key) => both.reduce((sum, driver) => sum + driver.receivedBytes(key), 0),

    seal: (key, multipartId, chosen) => ofParts(chosen).seal(key, multipartId, chosen),

    findSealed: async (key) => (await current.findSealed(key)) ?? previous.findSealed(key),

    protect: (key, parts) => ofParts(parts).protect(key, parts),

    async discard(key, multipartId) {
      for (const driver of both) await driver.discard(key, idFor(driver, multipartId))
    },

    prune: (object) => ofObject(object).prune(object),

    store: (key, content) => current.store(key, content),

    read: (object, range) => ofObject(object).read(object, range),

    requireComplete: (object) => ofObject(object).requireComplete(object),

    checksums: (object, options) => ofObject(object).checksums(object, options),

    checksumsOfStaged: (key, multipartId, chosen, options) =>
      ofParts(chosen).checksumsOfStaged(key, multipartId, chosen, options),

    discardPart: (key, multipartId, name) => driverOf(storeOf(name)).discardPart(key, multipartId, name),

    async signGet({ key }, download) {
      const object = await findObject(key)
      return (object === undefined ? current : ofObject(object)).signGet({ key }, download)
    },

    async remove(object) {
      for (const driver of both) await driver.remove(object)
    },

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

    findClientOrigin: async () => (await current.findClientOrigin()) ?? previous.findClientOrigin(),

    identity: current.identity,

    async check() {
      await Promise.all(both.map((driver) => driver.check()))
    },
  }
}
