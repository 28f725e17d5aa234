import type { Deps } from '../../deps.ts'
import { assertDeletionAllowed, isOrphanShareAllowed } from '../../jobs/deletion-guard.ts'
import { job } from '../../jobs/job.ts'
import type { StoreDrivers } from '../../storage/custom/routed-driver.ts'
import type { StorageDriver, StoredKey } from '../../storage/driver.ts'
import { orphanGraceHours } from '../../storage/objects/marked-objects.db.ts'
import { inChunks, listReferencedKeys, restoreReferencedBytes } from './quarantine.ts'

export const quarantineDays = 7
const batchSize = 500
// Limits the memory that a run uses. The next run handles the remaining orphans.
const maxOrphans = 100_000
const maxLoggedKeys = 20

/**
 * Moves bytes that no row refers to into quarantine, and deletes bytes that were moved there a week ago. A row is
 * always inserted before its bytes are written, so a key without a row belongs either to an upload whose row was
 * deleted or to another database.
 */
export const sweepOrphans = job({
  name: 'uploads.sweep-orphans',
  schedule: '17 3 * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  async handle(deps, _, stopping) {
    const { hostedStorage: hosted, customStores: stores, log } = deps
    const onFailure: OnFailure = (store, error) =>
      log.warn({ err: error, store }, 'could not sweep a custom store')
    await sweepOrphansOfStores(deps, { hosted, stores, onFailure }, stopping)
  },
})

type SweepDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'log' | 'config'>

type OnFailure = (storeId: string, error: unknown) => void

type Stores = { hosted: StorageDriver; stores: StoreDrivers; onFailure: OnFailure }

/** Sweeps the storage of the service and then each custom store. Each has its own guard and affects no other one. */
export async function sweepOrphansOfStores(
  deps: Omit<SweepDeps, 'storage'>,
  { hosted, stores, onFailure }: Stores,
  stopping?: AbortSignal,
): Promise<void> {
  await sweepOrphanedBytes({ ...deps, storage: hosted }, stopping)
  for (const store of await stores.listIds()) {
    if (stopping?.aborted === true) return
    await stores
      .open(store)
      .then((storage) => sweepOrphanedBytes({ ...deps, storage }, stopping))
      .catch((error: unknown) => onFailure(store, error))
  }
}

export async function sweepOrphanedBytes(deps: SweepDeps, stopping?: AbortSignal): Promise<void> {
  await assertDeletionAllowed(deps)
  await restoreReferencedBytes(deps)
  const { orphans, found, examined } = await findOrphans(deps)
  if (stopping?.aborted === true) return
  if (!isOrphanShareAllowed(deps, { found, examined, what: 'bytes that no row refers to' })) return
  await quarantineOrphans(deps, orphans, stopping)
  await deleteOverdue(deps, stopping)
}

/** Finds the bytes that a run would move into quarantine. */
export async function findOrphans({ db, storage, clock }: Pick<SweepDeps, 'db' | 'storage' | 'clock'>) {
  const unchangedSince = new Date(clock.now().getTime() - orphanGraceHours * 60 * 60 * 1000)
  const orphans: StoredKey[] = []
  let [found, examined] = [0, 0]
  for await (const keys of inChunks(storage.listKeys({ unchangedSince }), batchSize)) {
    const referenced = await listReferencedKeys(db, keys)
    const unreferenced = keys.filter(({ key }) => !referenced.has(key))
    examined += keys.length
    found += unreferenced.length
    orphans.push(...unreferenced.slice(0, maxOrphans - orphans.length))
  }
  return { orphans, found, examined }
}

async function quarantineOrphans(
  { storage, clock, log }: SweepDeps,
  orphans: StoredKey[],
  stopping: AbortSignal | undefined,
): Promise<void> {
  const at = clock.now()
  let moved = 0
  for (const orphan of orphans) {
    if (stopping?.aborted === true) break
    await storage.quarantine(orphan, at)
    moved++
  }
  const keys = orphans.slice(0, Math.min(moved, maxLoggedKeys)).map(({ key }) => key)
  if (moved > 0) log.warn({ moved, keys }, 'moved bytes that no row refers to into quarantine')
}

async function deleteOverdue(
  { storage, clock, log }: SweepDeps,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const before = clock.now().getTime() - quarantineDays * 24 * 60 * 60 * 1000
  let deleted = 0
  for await (const found of storage.listQuarantined()) {
    if (stopping?.aborted === true) break
    if (found.quarantinedAt.getTime() > before) continue
    await storage.deleteQuarantined(found)
    deleted++
  }
  if (deleted > 0) log.info({ deleted }, 'deleted quarantined bytes')
}
