import { Problem, problem } from '../../lib/problem.ts'
import type { StorageDriver, StorageIdentity } from '../driver.ts'
import type { Composition } from '../objects/composition.ts'
import { storeUnavailable } from '../storage-errors.ts'
import { keyInStore, keyOfStore } from './store-key.ts'

type Options = {
  id: string
  /** The driver of the store, which does not know the ID. */
  driver: StorageDriver
  /** Returns the ID of the installation. */
  findInstallationId: () => Promise<string | undefined>
  /** Called with each error because of which the store cannot be used. */
  onProblem?: (error: unknown) => void
}

const ownershipCheckMs = 60_000

/** Returns what an installation writes to its stores, so that no other installation or application uses them too. */
export const storeOwner = (installationId: string, storeId: string): string => `${installationId}/${storeId}`

/**
 * Returns a driver whose keys contain the ID of the store. Its errors say that only one application is affected. Deletes
 * nothing in a store that belongs to another installation, such as a copy of this one.
 */
export function createStoreDriver({
  id,
  driver,
  findInstallationId,
  onProblem = () => {},
}: Options): StorageDriver {
  const qualify = <T extends { key: string }>(found: T): T => ({ ...found, key: keyOfStore(id, found.key) })
  const { guarded, guardedItems } = createGuards(onProblem)
  async function* mapItems<T extends { key: string }>(items: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const item of guardedItems(items)) yield qualify(item)
  }
  const identity = createStoreIdentity(id, driver.identity, guarded)
  const requireOwnStore = createOwnershipCheck(identity, findInstallationId)
  const deleting = (work: () => Promise<void>): Promise<void> => guarded(requireOwnStore().then(work))

  return {
    signPut: (file, options) => guarded(driver.signPut(inStore(file), options)),
    requireSpace: (key, sizeBytes) => guarded(driver.requireSpace(keyInStore(key), sizeBytes)),
    findCapacity: () => guarded(driver.findCapacity()),
    openMultipart: (file) => guarded(driver.openMultipart(inStore(file))),
    hasMultipart: (key, multipartId) => guarded(driver.hasMultipart(keyInStore(key), multipartId)),
    abortMultipart: (key, multipartId) => deleting(() => driver.abortMultipart(keyInStore(key), multipartId)),
    signPart: (file, part) => guarded(driver.signPart(inStore(file), part)),
    storePart: (key, part, body) => guarded(driver.storePart(keyInStore(key), part, body)),
    listStaged: (key, multipartId) => guarded(driver.listStaged(keyInStore(key), multipartId)),
    receivedBytes: (key) => driver.receivedBytes(keyInStore(key)),
    canCompose: (key) => guarded(driver.canCompose(keyInStore(key))),
    seal: async (key, multipartId, chosen, composition) =>
      qualify(
        await guarded(
          driver.seal(keyInStore(key), multipartId, chosen, composition && sourcesInStore(composition)),
        ),
      ),
    async findSealed(key) {
      const found = await guarded(driver.findSealed(keyInStore(key)))
      return found && qualify(found)
    },
    protect: (key, parts) => driver.protect(keyInStore(key), parts),
    discard: (key, multipartId) => deleting(() => driver.discard(keyInStore(key), multipartId)),
    prune: (object) => driver.prune(inStore(object)),
    store: async (key, content) => qualify(await guarded(driver.store(keyInStore(key), content))),
    read: (object, range) => guardedItems(driver.read(inStore(object), range)),
    requireComplete: (object) => guarded(driver.requireComplete(inStore(object))),
    checksums: (object, options) => guarded(driver.checksums(inStore(object), options)),
    checksumsOfStaged: (key, multipartId, chosen, options) =>
      guarded(driver.checksumsOfStaged(keyInStore(key), multipartId, chosen, options)),
    discardPart: (key, multipartId, name) => guarded(driver.discardPart(keyInStore(key), multipartId, name)),
    signGet: (object, download) => guarded(driver.signGet(inStore(object), download)),
    remove: (object) => deleting(() => driver.remove(inStore(object))),
    listKeys: (query) => mapItems(driver.listKeys(query)),
    quarantine: (found, at) => deleting(() => driver.quarantine(inStore(found), at)),
    listQuarantined: () => mapItems(driver.listQuarantined()),
    restore: (found) => guarded(driver.restore(inStore(found))),
    deleteQuarantined: (found) => deleting(() => driver.deleteQuarantined(inStore(found))),
    listClientOrigins: () => driver.listClientOrigins(),
    identity,
    check: () => guarded(driver.check()),
  }
}

const sourcesInStore = ({ segments, ranges }: Composition): Composition => ({
  segments: segments.map(({ key, ...segment }) => ({
    ...segment,
    ...(key !== undefined && { key: keyInStore(key) }),
  })),
  ranges,
})

const inStore = <T extends { key: string }>(given: T): T => ({ ...given, key: keyInStore(given.key) })

/** Creates the functions that convert the errors of a store and report those because of which it cannot be used. */
function createGuards(onProblem: (error: unknown) => void) {
  const fail = (error: unknown): never => {
    const problem = toStoreProblem(error)
    if (isStoreProblem(problem)) onProblem(problem)
    throw problem
  }
  return {
    guarded: <T>(work: Promise<T>): Promise<T> => work.catch(fail),
    async *guardedItems<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
      try {
        yield* items
      } catch (error) {
        fail(error)
      }
    },
  }
}

/** Creates a function that throws if the store belongs to another installation, which it checks once a minute. */
function createOwnershipCheck(
  identity: StorageIdentity,
  findInstallationId: Options['findInstallationId'],
): () => Promise<void> {
  let nextCheckMs = 0
  return async () => {
    if (performance.now() < nextCheckMs) return
    const [owner, installationId] = await Promise.all([identity.findId(), findInstallationId()])
    if (owner === undefined || owner !== installationId)
      throw otherInstallation({ location: identity.location })
    nextCheckMs = performance.now() + ownershipCheckMs
  }
}

const otherInstallation = problem(
  'unavailable',
  'custom_store.other_installation',
  'The custom store {location} belongs to another installation, so nothing is deleted in it. Save the store again in the settings of the application.',
)

function createStoreIdentity(
  id: string,
  identity: StorageIdentity,
  guarded: <T>(work: Promise<T>) => Promise<T>,
): StorageIdentity {
  return {
    address: identity.address,
    location: identity.location,
    settings: 'the settings of the custom store',
    advice: 'Test the store in the settings of the application.',
    emptyReason: 'The bucket or the prefix of the custom store is probably not correct.',
    /** Returns the ID of the installation if the store belongs to this row, and otherwise the text that was found. */
    async findId() {
      const owner = await guarded(identity.findId())
      const [installationId = '', storeId] = owner?.split('/') ?? []
      return storeId === id ? installationId : owner
    },
    saveId: (installationId) => guarded(identity.saveId(storeOwner(installationId, id))),
    hasFiles: () => guarded(identity.hasFiles()),
  }
}

/** Converts an outage of the store to one of a custom store; returns other errors, such as damage, unchanged. */
const toStoreProblem = (error: unknown): unknown =>
  error instanceof Problem && error.code === 'storage.unavailable'
    ? storeUnavailable({ cause: withoutDetails(error.cause) })
    : error

/** Returns an error for the log. What a store rejects can contain the access key. */
function withoutDetails(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('$metadata' in cause)) return cause
  const { httpStatusCode: status } = cause.$metadata as { httpStatusCode?: number }
  // The client also adds metadata to errors of the network, and gives some of them another name.
  if (status === undefined)
    return new Error(`the store did not respond: ${'code' in cause ? String(cause.code) : cause.name}`)
  return new Error(`the store rejected a call: ${cause.name}, status ${status}`)
}

/** Returns whether an error concerns only one custom store, so that work for others can continue. */
export const isStoreProblem = (error: unknown): boolean =>
  error instanceof Problem && error.code.startsWith('custom_store.')
