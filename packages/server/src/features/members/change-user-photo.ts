import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { notFound } from '../../lib/problem.ts'
import { changeIcon, iconUrl, type StoredIcon } from '../icons/icon.ts'
import { userResource } from './member.ts'
import { requireLockedPhoto, requireWorkspaceMember, saveUserPhoto } from './workspace-member.db.ts'

/** Sets the photo of the signed-in user, or deletes it if `photo` is null; returns the user. */
export async function changeUserPhoto(call: Call, photo: StoredIcon | null) {
  const { userId, workspaceId } = call.actor
  if (userId === null) throw notFound()
  const { publicUrl } = call.config
  const user = await inTransaction(call.db, async (tx) => {
    const before = await requireLockedPhoto(tx, userId)
    const change = await changeIcon(tx, before, photo)
    if (change !== undefined) {
      await saveUserPhoto(tx, userId, change.key)
      await recordEvent(tx, call, {
        action: `member.photo_${change.verb}`,
        applicationId: null,
        subject: { type: 'member', id: userId },
        before: { profile_photo_url: iconUrl(publicUrl, before) },
        after: { profile_photo_url: iconUrl(publicUrl, change.key) },
      })
    }
    return requireWorkspaceMember(tx, workspaceId, userId)
  })
  const { id, name, email, profile_photo_url } = userResource(user, call.config)
  return { id, name, email, profile_photo_url }
}
