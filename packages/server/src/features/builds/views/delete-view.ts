import { Type } from 'typebox'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { Message } from '../../../http/endpoint/responses.ts'
import { markViewDeleted, requireLockedView, requireViewOfPath } from './view.db.ts'
import { requireViewAuthority, viewAuditSnapshot, ViewId } from './view.ts'

export const deleteView = endpoint({
  method: 'DELETE',
  path: '/applications/:application_id/views/:view_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Delete a saved view',
  description: 'The view can be restored for a day. Builds are not affected.',
  params: Type.Object({ application_id: ApplicationId, view_id: ViewId }),
  returns: Message,
  load: requireViewOfPath,
  async handle({ application, view, ...call }) {
    requireViewAuthority(call.actor, view.user_id)
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedView(tx, view.id, view.user_id)
      await markViewDeleted(tx, view.id)
      if (before.user_id === null)
        await recordEvent(tx, call, {
          action: 'view.deleted',
          applicationId: application.id,
          subject: { type: 'view', id: view.id },
          before: viewAuditSnapshot(before),
        })
    })
    return { message: 'View deleted.' }
  },
})
