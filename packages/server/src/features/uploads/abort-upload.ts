import { Type } from 'typebox'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Problem } from '../../lib/problem.ts'
import { requirePendingUpload, updateUploadAborted, updateUploadSwept } from './pending-upload.db.ts'

export const abortUpload = endpoint({
  method: 'POST',
  path: '/upload/abort',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Abort an upload and drop its bytes',
  description: 'Aborting again answers the same.',
  body: Type.Object({ pending_upload_id: Type.String({ maxLength: 100 }) }),
  lenient: true,
  budget: 'uploads',
  returns: Message,
  async handle({ db, actor, body, storage, log }) {
    const upload = await requirePendingUpload(db, actor, body.pending_upload_id)
    if (upload.state === 'requested' && (await updateUploadAborted(db, upload.id))) {
      try {
        for (const file of upload.files) await storage.discard(file.object_key, file.multipart_id ?? '')
        await updateUploadSwept(db, upload.id)
      } catch (error) {
        log.warn({ err: error, upload: upload.id }, 'bytes of an aborted upload are left to the sweep')
      }
      return { message: 'Upload aborted.' }
    }
    const { state } = await requirePendingUpload(db, actor, body.pending_upload_id)
    if (state === 'verified')
      throw bad('upload.verified', 'This upload is verified: delete its build instead.')
    if (state === 'verifying') throw bad('upload.verifying', 'This upload is being verified right now.')
    return { message: state === 'expired' ? 'Upload had expired.' : 'Upload aborted.' }
  },
})

const bad = (code: string, message: string) => new Problem('bad_request', code, message)
