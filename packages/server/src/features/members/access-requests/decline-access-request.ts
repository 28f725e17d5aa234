import { Type } from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { Message } from '../../../http/endpoint/responses.ts'
import {
  closeAccessRequest,
  lockAccessRequest,
  requireAccessRequest,
  requireAccessRequestOfPath,
} from './access-request.db.ts'
import { AccessRequestId, requestClosed } from './access-request.ts'

export const declineAccessRequest = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/access-requests/:access_request_id',
  scope: { workspace: 'applications:write', application: 'members:write' },
  summary: 'Decline an access request',
  description:
    'Deletes the request. The person is not notified and can ask again. The request can be restored for a day.',
  params: Type.Object({ application_id: ApplicationId, access_request_id: AccessRequestId }),
  refuses: [requestClosed],
  returns: Message,
  load: requireAccessRequestOfPath,
  async handle({ owner, request: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      await lockAccessRequest(tx, id)
      const { email, is_open: isOpen } = await requireAccessRequest(tx, owner, id)
      if (!isOpen) throw requestClosed()
      await closeAccessRequest(tx, id)
      await recordEvent(tx, call, {
        action: 'access_request.declined',
        applicationId: owner.applicationId,
        subject: { type: 'access_request', id },
        before: { email },
      })
    })
    return { message: 'Request declined.' }
  },
})
