import type { Static } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { changeIcon, iconUrl, storeIcon, type NewIcon } from '../icons/icon.ts'
import { requireLockedCustomTarget, saveCustomTarget } from './custom-target.db.ts'
import { requireOwnCustomTarget, singleCustomTarget, type LoadedCustomTarget } from './custom-target.ts'

/** Sets the icon of a custom target, or deletes it if `newIcon` is null; returns the updated resource. */
export async function changeCustomTargetIcon(
  { owner, customTarget, ...call }: Call & LoadedCustomTarget,
  newIcon: Static<typeof NewIcon> | null,
) {
  requireOwnCustomTarget(owner, customTarget)
  const { id } = customTarget
  const { publicUrl } = call.config
  const icon = newIcon === null ? null : await storeIcon(call, newIcon)
  return inTransaction(call.db, async (tx) => {
    const before = await requireLockedCustomTarget(tx, owner, id)
    const change = await changeIcon(tx, before.icon_object_key, icon)
    if (change === undefined) return singleCustomTarget(before, owner, publicUrl)
    const after = await saveCustomTarget(tx, id, { icon_object_key: change.key })
    await recordEvent(tx, call, {
      action: `custom_target.icon_${change.verb}`,
      applicationId: owner.applicationId,
      subject: { type: 'custom_target', id },
      before: { icon_url: iconUrl(publicUrl, before.icon_object_key) },
      after: { icon_url: iconUrl(publicUrl, change.key) },
    })
    return singleCustomTarget(after, owner, publicUrl)
  })
}
