import type { Deps } from '../../deps.ts'
import { assertDeletionAllowed } from '../../jobs/deletion-guard.ts'
import { job } from '../../jobs/job.ts'
import { isStoreProblem } from '../../storage/custom/store-driver.ts'
import type { PendingUpload } from './pending-upload.db.ts'
import {
  extendUploadExpiry,
  listExpiredUploads,
  listUnsweptUploads,
  markUploadExpired,
  markUploadSwept,
} from './upload-sweep.db.ts'

/** Expires inactive uploads, then deletes their bytes. */
export const expireUploads = job({
  name: 'uploads.expire',
  schedule: '*/5 * * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => sweepUploads(deps, stopping),
})

type SweepDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'log' | 'config'>

export async function sweepUploads(deps: SweepDeps, stopping?: AbortSignal): Promise<void> {
  const { db, storage, config, log } = deps
  await assertDeletionAllowed(deps)
  for (const upload of await listExpiredUploads(db)) {
    if (stopping?.aborted === true) return
    await skipUnusableStore(deps, upload, async () => {
      if (await wasWrittenRecently(deps, upload))
        await extendUploadExpiry(db, upload.id, config.uploadTtlHours)
      else if (await markUploadExpired(db, upload.id)) log.info({ upload: upload.id }, 'upload expired')
    })
  }
  for (const upload of await listUnsweptUploads(db)) {
    if (stopping?.aborted === true) return
    await skipUnusableStore(deps, upload, async () => {
      for (const file of upload.files) await storage.discard(file.object_key, file.multipart_id ?? '')
      await markUploadSwept(db, upload.id)
    })
  }
}

/** Leaves an upload to the next run if its custom store cannot be used, so that other uploads do not have to wait. */
async function skipUnusableStore(
  { log }: SweepDeps,
  { id }: PendingUpload,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isStoreProblem(error)) throw error
    log.warn({ err: error, upload: id }, 'skipped an upload to a custom store that cannot be used')
  }
}

/**
 * Returns whether parts were stored recently. PUT requests go directly to storage and do not update the activity time
 * in the database.
 */
async function wasWrittenRecently(
  { storage, clock, config }: SweepDeps,
  upload: PendingUpload,
): Promise<boolean> {
  const since = clock.now().getTime() - config.uploadTtlHours * 60 * 60 * 1000
  for (const file of upload.files) {
    const staged = await storage.listStaged(file.object_key, file.multipart_id ?? '')
    if (staged.some(({ storedAt }) => storedAt.getTime() > since)) return true
  }
  return false
}
