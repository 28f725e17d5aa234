import { uuidV7 } from '../../lib/ids.ts'

/*
 * The key of an object names its store: <UUID> in the storage of the service, and <store ID>/<UUID> in a custom store.
 */

/** Returns the ID of the custom store that contains the object, or null if it is in the storage of the service. */
export function storeIdOf(key: string): string | null {
  const end = key.indexOf('/')
  return end === -1 ? null : key.slice(0, end)
}

/** Returns the key by which the store itself knows the object. */
export const keyInStore = (key: string): string => key.slice(key.indexOf('/') + 1)

/** Returns the key of an object of a store. */
export const keyOfStore = (storeId: string | null, key: string): string =>
  storeId === null ? key : `${storeId}/${key}`

/** Returns an unused key in a store. */
export const newStorageKey = (storeId: string | null): string => keyOfStore(storeId, uuidV7())
