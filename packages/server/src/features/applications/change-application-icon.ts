import { requireLockedApplication } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { changeIcon, iconUrl, type StoredIcon } from '../icons/icon.ts'
import { saveApplication } from './application.db.ts'
import { singleApplication } from './application.ts'

/** Sets the icon of the application, or deletes it if `icon` is null; returns the application. */
export async function changeApplicationIcon(call: Call, id: string, icon: StoredIcon | null) {
  const { publicUrl } = call.config
  const application = await inTransaction(call.db, async (tx) => {
    const before = await requireLockedApplication(tx, id)
    const change = await changeIcon(tx, before.icon_object_key, icon)
    if (change === undefined) return before
    const after = await saveApplication(tx, id, { icon_object_key: change.key })
    await recordEvent(tx, call, {
      action: `application.icon_${change.verb}`,
      applicationId: id,
      subject: { type: 'application', id },
      before: { icon_url: iconUrl(publicUrl, before.icon_object_key) },
      after: { icon_url: iconUrl(publicUrl, change.key) },
    })
    return after
  })
  return singleApplication(call, application)
}
