import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { changeIcon } from '../icons/icon.ts'
import { removePortal, requireLockedPortal, requirePortalOfPath } from './portal.db.ts'
import { portalAuditSnapshot, PortalId } from './portal.ts'

export const deletePortal = endpoint({
  method: 'DELETE',
  path: '/portals/:portal_id',
  scope: { workspace: 'portals:write' },
  summary: 'Delete a portal',
  description: 'Does not delete the applications and releases in the portal.',
  params: Type.Object({ portal_id: PortalId }),
  returns: Message,
  load: requirePortalOfPath,
  async handle({ portal: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedPortal(tx, call.actor.workspaceId, id)
      await removePortal(tx, id)
      await changeIcon(tx, before.icon_object_key, null)
      await recordEvent(tx, call, {
        action: 'portal.deleted',
        applicationId: null,
        subject: { type: 'portal', id },
        before: portalAuditSnapshot(before),
      })
    })
    return { message: 'Portal deleted.' }
  },
})
