import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { enqueueMails } from '../mails/mail.ts'
import { listGroupsToNotify, requireGroupRelease } from './distribution-group-release.db.ts'
import { groupReleaseResource } from './distribution-group-release.ts'
import type { DistributionGroupRow } from './distribution-group.db.ts'
import { insertReleaseNotifications } from './release-notification.db.ts'
import { releaseMail } from './release-notification.ts'

type Group = Pick<DistributionGroupRow, 'id' | 'workspace_id' | 'name'>
type Sending = Pick<Deps, 'config' | 'mailer' | 'queue' | 'secretBox'>
type Release = { id: string; title: string; version: string; application_name: string }

const batchSize = 1000

/**
 * Enqueues an email to each member of the group who has not been notified of the release through any group; returns the
 * number of emails. The caller must hold a lock on the release, so that a person who belongs to several groups is
 * notified only once.
 */
export async function notifyMembers(
  tx: Tx,
  sending: Sending,
  group: Group,
  release: Release,
): Promise<number> {
  const { id: groupId, workspace_id: workspaceId } = group
  for (let count = 0; ;) {
    const batch = { groupId, releaseId: release.id, limit: batchSize }
    const notifications = await insertReleaseNotifications(tx, batch)
    const mails = notifications.map((notification) =>
      releaseMail(sending, { notification, workspaceId, group, release }),
    )
    if (mails.length > 0) await enqueueMails(tx, sending, mails)
    count += notifications.length
    if (notifications.length < batchSize) return count
  }
}

/** Implements `notifyGroupsOfRelease` of `Dependents`. */
export async function notifyGroupsOfRelease(
  tx: Tx,
  sending: Sending,
  { id: releaseId }: { id: string },
): Promise<number> {
  let count = 0
  for (const group of await listGroupsToNotify(tx, releaseId)) {
    const release = groupReleaseResource(await requireGroupRelease(tx, group.id, releaseId))
    count += await notifyMembers(tx, sending, group, release)
  }
  return count
}
