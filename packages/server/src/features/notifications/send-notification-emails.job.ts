import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notificationMail } from '../../http/mails/notification.mail.ts'
import { job } from '../../jobs/job.ts'
import type { NewMail } from '../mails/mail.db.ts'
import { enqueueMails } from '../mails/mail.ts'
import { emailSubscriptionUrl } from './email-subscription.ts'
import { takeDueEmails, type EmailedNotification } from './notification-email.db.ts'
import { notificationTitle } from './notification-title.ts'
import { byMember } from './notification.db.ts'
import { notificationUrl } from './notification.ts'

const membersPerTransaction = 200

/**
 * Sends the emails about notifications that are due. They are taken in the transaction that adds the emails to the outbox,
 * so that a restart neither loses nor repeats one.
 */
export const sendNotificationEmails = job({
  name: 'notifications.email',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 10 * 60,
  async handle(deps, _, stopping) {
    while (!stopping.aborted) {
      const taken = await inTransaction(deps.db, async (tx) => {
        const due = await takeDueEmails(tx, membersPerTransaction)
        const mails = byMember(due.notifications).map((notifications) => createMail(deps, notifications))
        if (mails.length > 0) await enqueueMails(tx, deps, mails)
        return due.taken
      })
      if (taken === 0) return
    }
  },
})

function createMail(
  deps: Pick<Deps, 'secretBox' | 'config'>,
  notifications: readonly EmailedNotification[],
): NewMail {
  const [first] = notifications
  if (first === undefined) throw new Error('an email has no notifications')
  const member = { workspaceId: first.workspace_id, userId: first.user_id }
  const unsubscribe = emailSubscriptionUrl(deps, member)
  return {
    workspaceId: first.workspace_id,
    to: first.email,
    secrets: [unsubscribe.token],
    unsubscribeUrl: unsubscribe.url,
    ...notificationMail.render({
      workspace: first.workspace_name,
      isDigest: first.is_digest,
      notifications: notifications.map((row) => ({
        title: notificationTitle(row),
        text: row.feedback_text,
        url: notificationUrl(deps.config, row),
      })),
      inboxUrl: `${deps.config.publicUrl}/inbox`,
      settingsUrl: `${deps.config.publicUrl}/account?section=notifications`,
      unsubscribeUrl: unsubscribe.url,
    }),
  }
}
