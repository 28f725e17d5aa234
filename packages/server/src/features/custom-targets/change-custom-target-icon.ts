import type { Static } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { changeIcon, iconUrl, storeIcon, type NewIcon } from '../icons/icon.ts'
import { requireOfHome, subject } from './change-custom-target.ts'
import { requireLockedCustomTarget, updateCustomTargetRow, type TargetHome } from './custom-target.db.ts'
import { customTargetResource, type CustomTargetRow } from './custom-target.ts'

/** Gives the target of either level this icon, or none, and answers it. */
export async function changeCustomTargetIcon(
  call: Call,
  home: TargetHome,
  target: CustomTargetRow,
  wish: Static<typeof NewIcon> | null,
) {
  requireOfHome(home, target)
  const { publicUrl } = call.config
  const icon = wish === null ? null : await storeIcon(call, wish)
  return inTransaction(call.db, async (tx) => {
    const before = await requireLockedCustomTarget(tx, home, target.id)
    const change = await changeIcon(tx, before.icon_object_key, icon)
    if (change === undefined) return customTargetResource(before, publicUrl)
    const after = await updateCustomTargetRow(tx, target.id, { icon_object_key: change.key })
    await recordEvent(tx, call, {
      action: `custom_target.icon_${change.verb}`,
      applicationId: home.applicationId,
      subject: subject(target.id),
      before: { icon_url: iconUrl(publicUrl, before.icon_object_key) },
      after: { icon_url: iconUrl(publicUrl, change.key) },
    })
    return customTargetResource(after, publicUrl)
  })
}
