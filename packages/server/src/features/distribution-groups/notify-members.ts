import type { Tx } from '../../database/transaction.ts'
import type { Call } from '../../http/endpoint.ts'
import { enqueueMails } from '../mails/mail.ts'
import type { DistributionGroupRow } from './distribution-group.db.ts'
import { insertReleaseNotifications } from './release-notification.db.ts'
import { releaseMail } from './release-notification.ts'

type Release = { id: string; title: string; version: string; application_name: string }

const most = 1000

/**
 * Sends a mail to everybody in the group who was not told of the release by any group before; answers how many. The
 * caller holds the release, so that of two groups with the same people the second sees whom the first has told.
 */
export async function notifyMembers(
  tx: Tx,
  call: Call,
  group: DistributionGroupRow,
  release: Release,
): Promise<number> {
  const { id: groupId, workspace_id: workspaceId } = group
  for (let count = 0; ;) {
    const told = await insertReleaseNotifications(tx, { groupId, releaseId: release.id, most })
    const mails = told.map((notification) => releaseMail(call, { notification, workspaceId, group, release }))
    if (mails.length > 0) await enqueueMails(tx, call, mails)
    count += told.length
    if (told.length < most) return count
  }
}
