import { Problem } from '../../lib/problem.ts'
import type { PendingUpload } from './pending-upload.ts'

const bad = (code: string, message: string) => new Problem('bad_request', code, message)

/** Throws unless bytes may still be added to the upload. */
export function requireOpen(upload: PendingUpload): void {
  requireAlive(upload)
  if (upload.state === 'verified')
    throw bad('upload.verified', 'This upload is verified: it takes no more bytes.')
}

/** Throws when the upload was aborted (400) or has expired (410). */
export function requireAlive(upload: PendingUpload): void {
  if (upload.state === 'aborted') throw bad('upload.aborted', 'This upload was aborted. Request a new one.')
  if (upload.state === 'expired' || upload.has_expired)
    throw new Problem('gone', 'upload.expired', 'This upload has expired. Request a new one.')
}
