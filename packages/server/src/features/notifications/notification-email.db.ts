import { sql } from 'kysely'
import { selectMemberReaches } from '../../access/member.db.ts'
import type { Tx } from '../../database/transaction.ts'
import { hasSubject, joinSubjects, notificationColumns, type NotificationRow } from './notification.db.ts'

export type EmailedNotification = NotificationRow & {
  workspace_id: string
  workspace_name: string
  user_id: string
  email: string
  is_digest: boolean
}

/** The time at which the latest daily email was due. */
const latestDigest = sql`(date_trunc('day', local.time - make_interval(hours => settings.digest_hour))
  + make_interval(hours => settings.digest_hour)) at time zone settings.time_zone`

const isQuiet = sql`(settings.quiet_from is not null and case when settings.quiet_from < settings.quiet_to
  then local.time_of_day >= settings.quiet_from and local.time_of_day < settings.quiet_to
  else local.time_of_day >= settings.quiet_from or local.time_of_day < settings.quiet_to end)`

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
        left join notification_settings s on s.workspace_id = n.workspace_id and s.user_id = n.user_id
        cross join lateral (
          select coalesce(s.email, 'at_once') as email, coalesce(s.digest_hour, 8)::integer as digest_hour, s.quiet_from collate "C" as quiet_from,
            s.quiet_to collate "C" as quiet_to, coalesce(s.time_zone, 'UTC') as time_zone
        ) as settings
        cross join lateral (
          select now() at time zone settings.time_zone as time,
            to_char(now() at time zone settings.time_zone, 'HH24:MI') collate "C" as time_of_day
        ) as local
      where case settings.email when 'daily' then n.created_at <= ${latestDigest} else not ${isQuiet} end
    ), members as (select distinct workspace_id, user_id from waiting limit ${limit})
    delete from notification_emails e using waiting join members using (workspace_id, user_id)
    where e.notification_id = waiting.notification_id
    returning e.notification_id, waiting.is_digest`.execute(tx)
  const ids = due.map(({ notification_id }) => notification_id)
  const { rows: notifications } = await sql<EmailedNotification>`
    select ${notificationColumns}, n.workspace_id, n.user_id, workspaces.name as workspace_name, users.email,
      n.id = any(${due.filter(({ is_digest }) => is_digest).map(({ notification_id }) => notification_id)}::uuid[])
        as is_digest
    from notifications n ${joinSubjects}
      join workspaces on workspaces.id = n.workspace_id
      join users on users.id = n.user_id
      join workspace_members m on m.workspace_id = n.workspace_id and m.user_id = n.user_id
    where n.id = any(${ids}::uuid[]) and n.read_at is null and ${hasSubject}
      and ${selectMemberReaches(sql`n.application_id`)}
    order by n.occurred_at, n.id`.execute(tx)
  return { taken: ids.length, notifications }
}
