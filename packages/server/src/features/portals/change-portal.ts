import type { Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { requireLockedPortal, requirePortal, type PortalRow } from './portal.db.ts'
import { portalFacts, portalResource } from './portal.ts'

type What = { id: string; action: string; applicationId?: string; note?: Record<string, unknown> }

/** Runs a change of a portal or of what is in it, one at a time, with its audit entry; answers the portal. */
export async function changePortal(
  tx: Tx,
  call: Call,
  { id, action, applicationId, note = {} }: What,
  change: (before: PortalRow) => Promise<unknown>,
) {
  const { workspaceId } = call.actor
  const before = await requireLockedPortal(tx, workspaceId, id)
  await change(before)
  const after = await requirePortal(tx, workspaceId, id)
  await recordEvent(tx, call, {
    action,
    applicationId: applicationId ?? null,
    subject: { type: 'portal', id },
    before: portalFacts(before),
    after: { ...portalFacts(after), ...note },
  })
  return portalResource(after, call.config.publicUrl)
}
