import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { digestMail } from '../../http/mails/digest.mail.ts'
import { job } from '../../jobs/job.ts'
import { versionResource } from '../builds/build.ts'
import type { NewMail } from '../mails/mail.db.ts'
import { enqueueMails } from '../mails/mail.ts'
import { deleteDueEntries, type DigestEntry } from './digest.db.ts'
import { subscriptionUrl } from './link/subscription.ts'
import { groupLink } from './release-notification.ts'

const membersPerTransaction = 200

/**
 * Sends the summaries that are due. The entries are deleted in the transaction that adds the emails to the outbox, so
 * that a restart neither loses nor repeats one. After an outage, the next run sends what became due in the meantime.
 */
export const sendDigests = job({
  name: 'digests.send',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 10 * 60,
  async handle(deps, _, stopping) {
    while (!stopping.aborted) {
      const deleted = await inTransaction(deps.db, async (tx) => {
        const { deleted: count, entries } = await deleteDueEntries(tx, membersPerTransaction)
        const members = Map.groupBy(entries, ({ member_id }) => member_id)
        const mails = [...members.values()].map((releases) => createDigest(deps, releases))
        if (mails.length > 0) await enqueueMails(tx, deps, mails)
        return count
      })
      if (deleted === 0) return
    }
  },
})

function createDigest(deps: Pick<Deps, 'secretBox' | 'config'>, entries: readonly DigestEntry[]): NewMail {
  const [first] = entries
  if (first === undefined) throw new Error('a digest has no releases')
  const links = entries.map((entry) => ({ ...entry, ...groupLink(deps, entry.id) }))
  const unsubscribe = subscriptionUrl(deps, first.member_id)
  return {
    workspaceId: first.workspace_id,
    to: first.email,
    secrets: [...links.map(({ token }) => token), unsubscribe.token],
    unsubscribeUrl: unsubscribe.url,
    ...digestMail.render({
      workspace: first.workspace_name,
      group: first.group_name,
      interval: first.digest === 'weekly' ? 'weekly' : 'daily',
      releases: links.map((entry) => ({
        application: entry.application_name,
        title: entry.title,
        version: versionResource(entry).version,
        url: entry.url,
      })),
      unsubscribeUrl: unsubscribe.url,
    }),
  }
}
