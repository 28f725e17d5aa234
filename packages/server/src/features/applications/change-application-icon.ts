import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { findBuildTotals } from '../builds/storage-usage.db.ts'
import { changeIcon, iconUrl, type StoredIcon } from '../icons/icon.ts'
import { requireLockedApplication, updateApplicationRow } from './application.db.ts'
import { applicationResource } from './application.ts'

/** Gives the application this icon, or none, and answers it. */
export async function changeApplicationIcon(call: Call, id: string, icon: StoredIcon | null) {
  const { publicUrl } = call.config
  const application = await inTransaction(call.db, async (tx) => {
    const before = await requireLockedApplication(tx, id)
    const change = await changeIcon(tx, before.icon_object_key, icon)
    if (change === undefined) return before
    const after = await updateApplicationRow(tx, id, { icon_object_key: change.key })
    await recordEvent(tx, call, {
      action: `application.icon_${change.verb}`,
      applicationId: id,
      subject: { type: 'application', id },
      before: { icon_url: iconUrl(publicUrl, before.icon_object_key) },
      after: { icon_url: iconUrl(publicUrl, change.key) },
    })
    return after
  })
  const totals = await findBuildTotals(call.db, id)
  return { ...applicationResource(application, totals.storedBytes, publicUrl), build_count: totals.count }
}
