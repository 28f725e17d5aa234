import type { Executor } from '../../database/transaction.ts'
import { sizeString } from '../../lib/sizes.ts'
import { listStoreLocations, type StoreLocation } from '../../storage/custom/custom-store.db.ts'
import { storeIdOf } from '../../storage/custom/store-key.ts'
import type { Terminal } from './command.ts'

/** The exit code of a command that could not process some of the custom stores and found nothing worse. */
export const incompleteExitCode = 3

type Unprocessed = { objects: number; sizeBytes: number }

type UnusableStore = Unprocessed & StoreLocation & { reason: string }

/** Collects the custom stores that could not be used, with the first reason for each. */
export type UnusableStores = ReturnType<typeof createUnusableStores>

export function createUnusableStores() {
  const reasons = new Map<string, string>()
  const unprocessed = new Map<string, Unprocessed>()
  return {
    add(storeId: string, error: unknown): void {
      if (!reasons.has(storeId)) reasons.set(storeId, reasonOf(error))
    },

    /** Returns whether the object is in a store that could not be used. */
    contains(key: string): boolean {
      const storeId = storeIdOf(key)
      return storeId !== null && reasons.has(storeId)
    },

    /** Counts an object that was not processed. */
    count({ key, sizeBytes }: { key: string; sizeBytes: number }): void {
      const storeId = storeIdOf(key) ?? ''
      const counted = unprocessed.get(storeId) ?? { objects: 0, sizeBytes: 0 }
      counted.objects += 1
      counted.sizeBytes += sizeBytes
      unprocessed.set(storeId, counted)
    },

    async list(db: Executor): Promise<UnusableStore[]> {
      const locations = await listStoreLocations(db, [...reasons.keys()])
      return locations.map((location) => ({
        ...location,
        reason: reasons.get(location.id) ?? '',
        ...(unprocessed.get(location.id) ?? { objects: 0, sizeBytes: 0 }),
      }))
    },
  }
}

/** Returns the reason for the operator. Errors of the store contain no credentials. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause, message } = error
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ')
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

export const storeToJson = ({ objects, sizeBytes, ...store }: UnusableStore) => ({
  ...store,
  unchecked_objects: objects,
  unchecked_bytes: sizeBytes,
})

/** Prints the stores that could not be used, with the number of files that were not checked. */
export function printUnusableStores(
  terminal: Terminal,
  stores: readonly UnusableStore[],
  what: string,
): void {
  for (const { endpoint, bucket, prefix, application, reason, objects, sizeBytes } of stores) {
    const owner = application === null ? 'a deleted application' : `"${application}"`
    const files = `${objects} ${objects === 1 ? 'file' : 'files'} (${sizeString(sizeBytes)}) not checked`
    terminal.print(
      `unusable: the custom store s3://${bucket}/${prefix} at ${endpoint ?? 'AWS'} of ${owner}${objects === 0 ? '' : `, ${files}`}: ${reason}`,
    )
  }
  if (stores.length > 0)
    terminal.print(
      `${what} is incomplete. Run quayside applications storage test for each application, then run the command again.`,
    )
}
