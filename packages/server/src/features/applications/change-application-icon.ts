import { requireLockedApplication, type ApplicationRow } from '../../access/application.db.ts'
import type { Config } from '../../config/config.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvent, type Initiator } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import type { Icon } from '../../inspection/inspection.ts'
import { changeIcon, iconUrl, storePackageIcon, type StoredIcon } from '../icons/icon.ts'
import { findApplicationWithoutIcon, saveApplication } from './application.db.ts'
import { singleApplication } from './application.ts'

/** Sets the icon of the application, or deletes it if `icon` is null; returns the application. */
export async function changeApplicationIcon(call: Call, id: string, icon: StoredIcon | null) {
  const application = await inTransaction(call.db, async (tx) =>
    changeIconOf(tx, call, await requireLockedApplication(tx, id), icon, call.config),
  )
  return singleApplication(call, application)
}

/** Sets the icon of an application that has none. Ignores an image that does not meet the requirements for icons. */
export async function setMissingApplicationIcon(
  { db, storage, config }: Pick<Deps, 'db' | 'storage' | 'config'>,
  by: Initiator,
  id: string,
  icon: Icon,
): Promise<void> {
  if ((await findApplicationWithoutIcon(db, id)) === undefined) return
  const stored = await storePackageIcon({ storage }, icon)
  if (stored === undefined) return
  await inTransaction(db, async (tx) => {
    const application = await findApplicationWithoutIcon(tx, id, { isLocking: true })
    if (application !== undefined) await changeIconOf(tx, by, application, stored, config)
  })
}

async function changeIconOf(
  tx: Tx,
  by: Initiator,
  before: ApplicationRow,
  icon: StoredIcon | null,
  { publicUrl }: Config,
): Promise<ApplicationRow> {
  const { id } = before
  const change = await changeIcon(tx, before.icon_object_key, icon)
  if (change === undefined) return before
  const after = await saveApplication(tx, id, { icon_object_key: change.key })
  await recordEvent(tx, by, {
    action: `application.icon_${change.verb}`,
    applicationId: id,
    subject: { type: 'application', id },
    before: { icon_url: iconUrl(publicUrl, before.icon_object_key) },
    after: { icon_url: iconUrl(publicUrl, change.key) },
  })
  return after
}
