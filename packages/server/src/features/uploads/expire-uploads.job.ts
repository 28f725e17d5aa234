import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import {
  listExpiredUploads,
  listUnsweptUploads,
  updateUploadExpired,
  updateUploadKeptAlive,
  updateUploadSwept,
} from './pending-upload.db.ts'
import type { PendingUpload } from './pending-upload.ts'

/** Ends uploads that nobody has worked on for the time they live, then drops their bytes. */
export const expireUploads = job({
  name: 'uploads.expire',
  schedule: '*/5 * * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => sweepUploads(deps, stopping),
})

export async function sweepUploads(deps: Deps, stopping?: AbortSignal): Promise<void> {
  const { db, storage, config, log } = deps
  await requireSoundClock(deps)
  for (const upload of await listExpiredUploads(db)) {
    if (stopping?.aborted === true) return
    if (await wasWrittenSince(deps, upload)) await updateUploadKeptAlive(db, upload.id, config.uploadTtlHours)
    else if (await updateUploadExpired(db, upload.id))
      log.info({ upload: upload.id }, 'an upload has expired')
  }
  for (const upload of await listUnsweptUploads(db)) {
    if (stopping?.aborted === true) return
    for (const file of upload.files) await storage.discard(file.object_key, file.multipart_id ?? '')
    await updateUploadSwept(db, upload.id)
  }
}

/** The service sees no PUT that goes straight to storage: the newest part tells. */
async function wasWrittenSince({ storage, clock, config }: Deps, upload: PendingUpload): Promise<boolean> {
  const since = clock.now().getTime() - config.uploadTtlHours * 60 * 60 * 1000
  for (const file of upload.files) {
    const staged = await storage.listStaged(file.object_key, file.multipart_id ?? '')
    if (staged.some(({ storedAt }) => storedAt.getTime() > since)) return true
  }
  return false
}
