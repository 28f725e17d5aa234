import { Type } from 'typebox'
import { requireApplicationLock } from '../../../access/application.db.ts'
import { conflictsAs } from '../../../database/conflicts.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { requireRoomForView, requireViewIncludingDeleted, unmarkDeletedView } from './view.db.ts'
import {
  requireViewAuthority,
  View,
  viewAuditSnapshot,
  ViewId,
  viewNameTaken,
  viewNotDeleted,
  viewProblems,
  viewResource,
} from './view.ts'

export const restoreView = endpoint({
  method: 'POST',
  path: '/applications/:application_id/views/:view_id/restore',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Restore a deleted view',
  description: 'Restores the view with its ID and pins. Possible for a day after its deletion.',
  params: Type.Object({ application_id: ApplicationId, view_id: ViewId }),
  refuses: [viewNotDeleted, ...viewProblems],
  returns: one(View),
  load: requireViewIncludingDeleted,
  async handle({ application, view, ...call }) {
    requireViewAuthority(call.actor, view.user_id)
    const restored = await conflictsAs({ views_name: viewNameTaken }, () =>
      inTransaction(call.db, async (tx) => {
        await requireApplicationLock(tx, application.id)
        await requireRoomForView(tx, application.id, view.user_id)
        const row = await unmarkDeletedView(tx, view.id)
        if (row === undefined) throw viewNotDeleted()
        if (row.user_id === null)
          await recordEvent(tx, call, {
            action: 'view.restored',
            applicationId: application.id,
            subject: { type: 'view', id: row.id },
            after: viewAuditSnapshot(row),
          })
        return row
      }),
    )
    return { message: 'View restored.', data: viewResource(restored) }
  },
})
