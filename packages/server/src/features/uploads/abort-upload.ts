import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { beingVerified, markUploadAborted, requirePendingUpload } from './pending-upload.db.ts'
import { markUploadSwept } from './upload-sweep.db.ts'

const hasBuild = problem(
  'bad_request',
  'upload.verified',
  'This upload has been verified. Delete its build instead.',
)

export const abortUpload = endpoint({
  method: 'POST',
  path: '/upload/abort',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Abort an upload',
  description: 'Deletes the uploaded bytes. Repeating the call returns the same response.',
  body: Type.Object({ pending_upload_id: Type.String({ maxLength: 100 }) }),
  lenient: true,
  budget: 'uploads',
  refuses: [hasBuild, beingVerified],
  returns: Message,
  async handle({ db, actor, body, storage, log }) {
    const upload = await requirePendingUpload(db, actor, body.pending_upload_id)
    if (upload.state === 'requested' && (await markUploadAborted(db, upload.id))) {
      try {
        for (const file of upload.files) await storage.discard(file.object_key, file.multipart_id ?? '')
        await markUploadSwept(db, upload.id)
      } catch (error) {
        const message = 'could not delete the bytes of an aborted upload; the sweep will retry'
        log.warn({ err: error, upload: upload.id }, message)
      }
      return { message: 'Upload aborted.' }
    }
    const { state } = await requirePendingUpload(db, actor, body.pending_upload_id)
    if (state === 'verified') throw hasBuild()
    if (state === 'verifying') throw beingVerified()
    return { message: state === 'expired' ? 'The upload had already expired.' : 'Upload aborted.' }
  },
})
