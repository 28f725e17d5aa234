import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { defaultSettings, type EmailMode, type NotificationSettings } from './notification-settings.ts'

/** A member of a workspace. */
export type Member = { workspaceId: string; userId: string }

/** Returns the settings of a member, or the default settings. */
export async function findSettings(
  db: Executor,
  { workspaceId, userId }: Member,
): Promise<NotificationSettings> {
  const { rows } = await sql<NotificationSettings & { from: string | null; to: string | null }>`
    select email, digest_hour, time_zone, quiet_from as "from", quiet_to as "to", chat_url, chat_format, chat_error
    from notification_settings where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(db)
  const [row] = rows
  if (row === undefined) return defaultSettings
  const { from, to, ...settings } = row
  return { ...settings, quiet_hours: from === null || to === null ? null : { from, to } }
}

/** Joins the `settings` of the member of a notification `n`, and the `local` time of the member. */
export const joinSettings = sql`
  left join notification_settings s on s.workspace_id = n.workspace_id and s.user_id = n.user_id
  cross join lateral (
    select coalesce(s.email, 'at_once') as email, coalesce(s.digest_hour, 8)::integer as digest_hour,
      s.quiet_from collate "C" as quiet_from, s.quiet_to collate "C" as quiet_to, coalesce(s.time_zone, 'UTC') as time_zone
  ) as settings
  cross join lateral (
    select now() at time zone settings.time_zone as time,
      to_char(now() at time zone settings.time_zone, 'HH24:MI') collate "C" as time_of_day
  ) as local`

/** Whether the member has quiet hours now; after `joinSettings`. */
export const isQuiet = sql`(settings.quiet_from is not null and case when settings.quiet_from < settings.quiet_to
  then local.time_of_day >= settings.quiet_from and local.time_of_day < settings.quiet_to
  else local.time_of_day >= settings.quiet_from or local.time_of_day < settings.quiet_to end)`

/** Returns when a member got emails before they unsubscribed. */
export async function findResumedMode(db: Executor, { workspaceId, userId }: Member): Promise<EmailMode> {
  const { rows } = await sql<{ mode: EmailMode }>`
    select subscribed_email as mode from notification_settings
    where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(db)
  return rows[0]?.mode ?? defaultSettings.email
}

/**
 * Saves the settings. Discards the notifications that wait to be sent if the member wants no more emails or chat
 * messages.
 */
export async function saveSettings(
  tx: Tx,
  { workspaceId, userId }: Member,
  { email, digest_hour, quiet_hours, time_zone, chat_url, chat_format, chat_error }: NotificationSettings,
): Promise<void> {
  const values = {
    chat_url,
    chat_format,
    chat_error,
    email,
    digest_hour,
    time_zone,
    quiet_from: quiet_hours?.from ?? null,
    quiet_to: quiet_hours?.to ?? null,
    ...(email === 'none' ? {} : { subscribed_email: email }),
  }
  await tx
    .insertInto('notification_settings')
    .values({ workspace_id: workspaceId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(values))
    .execute()
  const isOwn = sql`n.workspace_id = ${workspaceId} and n.user_id = ${userId}`
  if (email === 'none')
    await sql`delete from notification_emails e using notifications n
      where n.id = e.notification_id and ${isOwn}`.execute(tx)
  if (chat_url === null)
    await sql`delete from notification_chats c using notifications n
      where n.id = c.notification_id and ${isOwn}`.execute(tx)
}

/** Returns the spelling of a time zone that PostgreSQL knows, or undefined if it does not know the zone. */
export async function findTimeZone(db: Executor, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_timezone_names where lower(name) = lower(${name}) limit 1`.execute(db)
  return rows[0]?.name
}

/** Returns the address of a member and the name of the workspace, or undefined if the person has left it. */
export async function findEmailRecipient(db: Executor, { workspaceId, userId }: Member) {
  return db
    .selectFrom('workspace_members as m')
    .innerJoin('users', 'users.id', 'm.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'm.workspace_id')
    .select(['users.email', 'workspaces.name as workspace_name'])
    .where('m.workspace_id', '=', workspaceId)
    .where('m.user_id', '=', userId)
    .executeTakeFirst()
}
