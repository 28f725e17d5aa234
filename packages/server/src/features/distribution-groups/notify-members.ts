import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { versionResource } from '../builds/build.ts'
import { enqueueMails } from '../mails/mail.ts'
import { listSharesToNotify, type ShareToNotify } from './distribution-group-release.db.ts'
import { insertReleaseNotifications } from './release-notification.db.ts'
import { createReleaseMails } from './release-notification.ts'

type Sending = Pick<Deps, 'config' | 'mailer' | 'queue' | 'secretBox'>

// An email has up to 60 KB, and a batch is one statement.
const batchSize = 250

/**
 * Notifies each member of the groups of the releases, or of one group, who has not been notified of the
 * release through any group. Returns the number of emails for each release. The number of statements depends only on the
 * number of emails. The caller must hold locks on the releases, so that a person who belongs to several groups is
 * notified only once.
 */
export async function notifyMembers(
  tx: Tx,
  sending: Sending,
  selection: { releaseIds: string[]; groupId?: string },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const shares = await listSharesToNotify(tx, selection)
  if (shares.length === 0) return counts
  const notifications = await insertReleaseNotifications(tx, shares)
  const writers: ReturnType<typeof createReleaseMails>[] = []
  for (let start = 0; start < notifications.length; start += batchSize) {
    const mails = notifications
      .slice(start, start + batchSize)
      .flatMap(({ share_index: index, digest, ...notification }) => {
        const share = shares[index]
        if (share === undefined) return []
        counts.set(share.release_id, (counts.get(share.release_id) ?? 0) + 1)
        if (digest !== 'none') return []
        const write = (writers[index] ??= createReleaseMails(sending, mailDetails(share)))
        return [{ workspaceId: share.workspace_id, ...write(notification) }]
      })
    await enqueueMails(tx, sending, mails)
  }
  return counts
}

const mailDetails = (share: ShareToNotify) => ({
  group: { name: share.group_name },
  release: { ...share, version: versionResource(share).version },
  workspaceName: share.workspace_name,
})

/** Implements `notifyGroupsOfReleases` of `Dependents`. */
export const notifyGroupsOfReleases = (tx: Tx, sending: Sending, releaseIds: string[]) =>
  notifyMembers(tx, sending, { releaseIds })
