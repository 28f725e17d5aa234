import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { changeIcon, iconUrl, type StoredIcon } from '../icons/icon.ts'
import { requireLockedWorkspace, saveWorkspace } from './workspace.db.ts'
import { workspaceResource } from './workspace.ts'

/** Sets the workspace logo, or deletes it if `logo` is null; returns the workspace. */
export async function changeWorkspaceLogo(call: Call, logo: StoredIcon | null) {
  const id = call.actor.workspaceId
  const { publicUrl } = call.config
  return inTransaction(call.db, async (tx) => {
    const before = await requireLockedWorkspace(tx, id)
    const change = await changeIcon(tx, before.logo_object_key, logo)
    if (change === undefined) return workspaceResource(before, publicUrl)
    const after = await saveWorkspace(tx, id, { logo_object_key: change.key })
    await recordEvent(tx, call, {
      action: `workspace.logo_${change.verb}`,
      applicationId: null,
      subject: { type: 'workspace', id },
      before: { logo_url: iconUrl(publicUrl, before.logo_object_key) },
      after: { logo_url: iconUrl(publicUrl, change.key) },
    })
    return workspaceResource(after, publicUrl)
  })
}
