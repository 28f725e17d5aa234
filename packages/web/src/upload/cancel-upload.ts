import { abortUpload } from './abort-upload.ts'
import type { UploadContext } from './resuming.ts'

type CancelContext = UploadContext & {
  /** Lets other tabs know that this tab no longer works on the upload. */
  leave: (id: string) => void
}

const undoMs = 8_000

/** Cancels an upload. Returns a function that takes this back for some seconds. */
export function cancelUpload(
  { client, records, list, runs, persist, leave }: CancelContext,
  id: string,
): () => void {
  const upload = list.find(id)
  runs.stop(id)
  list.remove(id)
  if (upload === undefined) return () => {}
  void records.remove(id)
  const forget = async () => {
    runs.detach(id)
    if (upload.pendingUploadId !== null) await abortUpload(client, upload.pendingUploadId)
    leave(id)
  }
  const timer = setTimeout(() => void forget(), undoMs)
  return () => {
    clearTimeout(timer)
    list.put({ ...upload, phase: runs.hasFile(id) ? 'paused' : upload.phase })
    persist(id)
    runs.start(id)
  }
}
