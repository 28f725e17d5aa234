import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { AuditAction } from '../../events/catalogue.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { changeIcon, iconUrl, type StoredIcon } from '../icons/icon.ts'
import { requireLockedPortal, requirePortal, savePortal, type PortalRow } from './portal.db.ts'
import { portalAuditSnapshot, portalResource } from './portal.ts'

type Change = {
  id: string
  action: Extract<AuditAction, `portal.${string}`>
  applicationId?: string
  details?: Record<string, unknown>
}

/** Locks a portal, runs `change`, records an audit entry and returns the portal resource. */
export async function changePortal(
  tx: Tx,
  call: Call,
  { id, action, applicationId, details = {} }: Change,
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
    before: portalAuditSnapshot(before),
    after: { ...portalAuditSnapshot(after), ...details },
  })
  return portalResource(after, call)
}

/** Sets the icon of a portal, or deletes it if `icon` is null; returns the portal resource. */
export async function changePortalIcon(call: Call, id: string, icon: StoredIcon | null) {
  const { publicUrl } = call.config
  const { workspaceId } = call.actor
  return inTransaction(call.db, async (tx) => {
    const before = await requireLockedPortal(tx, workspaceId, id)
    const change = await changeIcon(tx, before.icon_object_key, icon)
    if (change === undefined) return portalResource(before, call)
    await savePortal(tx, id, { icon_object_key: change.key })
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
