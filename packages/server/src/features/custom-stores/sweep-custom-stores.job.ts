import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { deleteUnusedStore, listStoreIds, listUnusedStoreIds } from '../../storage/custom/custom-store.db.ts'

/**
 * Deletes what clients have sent to custom stores after their upload was verified or aborted, and the settings of stores
 * that contain nothing and receive no uploads.
 */
export const sweepCustomStores = job({
  name: 'custom-stores.sweep',
  schedule: '9 * * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => sweepStores(deps, stopping),
})

export async function sweepStores(
  { db, customStores, log }: Pick<Deps, 'db' | 'customStores' | 'log'>,
  stopping?: AbortSignal,
): Promise<void> {
  for (const id of await listUnusedStoreIds(db))
    if (await deleteUnusedStore(db, id)) log.info({ store: id }, 'deleted an unused custom store')
  for (const id of await listStoreIds(db)) {
    if (stopping?.aborted === true) return
    await customStores.sweep(id).catch((error: unknown) => {
      log.warn({ err: error, store: id }, 'could not sweep a custom store')
    })
  }
}
