import type { Tx } from '../../database/transaction.ts'
import type { Call } from '../../http/endpoint.ts'
import { enqueueMails } from '../mails/mail.ts'
import type { DistributionGroupRow } from './distribution-group.db.ts'
import { insertReleaseNotifications } from './release-notification.db.ts'
import { releaseMail } from './release-notification.ts'

type Release = { id: string; title: string; version: string; application_name: string }

const batchSize = 1000

/**
 * Enqueues an email to each member of the group who has not been notified of the release through any group; returns the
 * number of emails. The caller must hold a lock on the release, so that a person who belongs to several groups is
 * notified only once.
 */
export async function notifyMembers(
  tx: Tx,
  call: Call,
  group: DistributionGroupRow,
  release: Release,
): Promise<number> {
  const { id: groupId, workspace_id: workspaceId } = group
  for (let count = 0; ;) {
    const batch = { groupId, releaseId: release.id, limit: batchSize }
    const notifications = await insertReleaseNotifications(tx, batch)
    const mails = notifications.map((notification) =>
      releaseMail(call, { notification, workspaceId, group, release }),
    )
    if (mails.length > 0) await enqueueMails(tx, call, mails)
    count += notifications.length
    if (notifications.length < batchSize) return count
  }
}
