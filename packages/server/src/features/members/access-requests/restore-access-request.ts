import { Type } from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import {
  lockAccessRequest,
  reopenAccessRequest,
  requireAccessRequest,
  requireAccessRequestOfPath,
} from './access-request.db.ts'
import {
  AccessRequest,
  AccessRequestId,
  accessRequestResource,
  requestNotRestorable,
} from './access-request.ts'

export const restoreAccessRequest = endpoint({
  method: 'POST',
  path: '/applications/:application_id/access-requests/:access_request_id/restore',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: 'Restore an access request',
  description:
    'Reopens a request that was declined, or approved by mistake if the person has been removed again. Possible for a day.',
  params: Type.Object({ application_id: ApplicationId, access_request_id: AccessRequestId }),
  refuses: [requestNotRestorable],
  returns: one(AccessRequest),
  load: requireAccessRequestOfPath,
  async handle({ owner, request: { id }, ...call }) {
    const restored = await inTransaction(call.db, async (tx) => {
      await lockAccessRequest(tx, id)
      const before = await requireAccessRequest(tx, owner, id)
      await reopenAccessRequest(tx, id)
      const after = await requireAccessRequest(tx, owner, id)
      if (before.is_open || !after.is_open) throw requestNotRestorable()
      await recordEvent(tx, call, {
        action: 'access_request.restored',
        applicationId: owner.applicationId,
        subject: { type: 'access_request', id },
        after: { email: after.email },
      })
      return after
    })
    return { message: 'Request restored.', data: accessRequestResource(restored, call.config) }
  },
})
