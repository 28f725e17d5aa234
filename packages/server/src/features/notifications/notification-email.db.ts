import { sql } from 'kysely'
import type { Tx } from '../../database/transaction.ts'
import { isQuiet, joinSettings } from './notification-settings.db.ts'
import { listUnread, type MemberNotification } from './notification.db.ts'

export type EmailedNotification = MemberNotification & { email: string; is_digest: boolean }

/** The time at which the latest daily email was due. */
const latestDigest = sql`(date_trunc('day', local.time - make_interval(hours => settings.digest_hour))
  + make_interval(hours => settings.digest_hour)) at time zone settings.time_zone`

/**
 * Takes the notifications of up to `limit` members that are due to be emailed. Returns how many there were, and those
 * that the member has not read and can still access. Of concurrent calls, only one gets a notification.
 */
export async function takeDueEmails(
  tx: Tx,
  limit: number,
): Promise<{ taken: number; notifications: EmailedNotification[] }> {
  const { rows: due } = await sql<{ notification_id: string; is_digest: boolean }>`
    with waiting as (
      select e.notification_id, n.workspace_id, n.user_id, settings.email = 'daily' as is_digest
      from notification_emails e join notifications n on n.id = e.notification_id
        ${joinSettings}
      where case settings.email when 'daily' then n.created_at <= ${latestDigest} else not ${isQuiet} end
    ), members as (select distinct workspace_id, user_id from waiting limit ${limit})
    delete from notification_emails e using waiting join members using (workspace_id, user_id)
    where e.notification_id = waiting.notification_id
    returning e.notification_id, waiting.is_digest`.execute(tx)
  const ids = due.map(({ notification_id }) => notification_id)
  const digests = due.filter(({ is_digest }) => is_digest).map(({ notification_id }) => notification_id)
  const columns = sql`users.email, n.id = any(${digests}::uuid[]) as is_digest`
  const notifications = await listUnread<EmailedNotification>(tx, ids, columns)
  return { taken: ids.length, notifications }
}
