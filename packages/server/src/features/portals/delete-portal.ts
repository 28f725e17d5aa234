import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { changeIcon } from '../icons/icon.ts'
import { requirePortalOfPath } from './portal-of-path.ts'
import { deletePortalRow, requireLockedPortal } from './portal.db.ts'
import { portalFacts, PortalId } from './portal.ts'

export const deletePortal = endpoint({
  method: 'DELETE',
  path: '/portals/:portal_id',
  scope: { workspace: 'portals:write' },
  summary: 'Delete a portal; what it showed stays',
  params: Type.Object({ portal_id: PortalId }),
  returns: Message,
  visible: requirePortalOfPath,
  async handle({ portal: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedPortal(tx, call.actor.workspaceId, id)
      await deletePortalRow(tx, id)
      await changeIcon(tx, before.icon_object_key, null)
      await recordEvent(tx, call, {
        action: 'portal.deleted',
        applicationId: null,
        subject: { type: 'portal', id },
        before: portalFacts(before),
      })
    })
    return { message: 'Portal deleted.' }
  },
})
