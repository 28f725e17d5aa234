import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { changeIcon, iconUrl, type StoredIcon } from '../icons/icon.ts'
import { requireLockedPortal, requirePortal, updatePortalRow, type PortalRow } from './portal.db.ts'
import { portalFacts, portalResource } from './portal.ts'

type What = { id: string; action: `portal.${string}`; applicationId?: string; note?: Record<string, unknown> }

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
  return portalResource(after, call)
}

/** Gives the portal this icon, or none, and answers it. */
export async function changePortalIcon(call: Call, id: string, icon: StoredIcon | null) {
  const { publicUrl } = call.config
  const { workspaceId } = call.actor
  return inTransaction(call.db, async (tx) => {
    const before = await requireLockedPortal(tx, workspaceId, id)
    const change = await changeIcon(tx, before.icon_object_key, icon)
    if (change === undefined) return portalResource(before, call)
    await updatePortalRow(tx, id, { icon_object_key: change.key })
    await recordEvent(tx, call, {
      action: `portal.icon_${change.verb}`,
      applicationId: null,
      subject: { type: 'portal', id },
      before: { icon_url: iconUrl(publicUrl, before.icon_object_key) },
      after: { icon_url: iconUrl(publicUrl, change.key) },
    })
    return portalResource(await requirePortal(tx, workspaceId, id), call)
  })
}
