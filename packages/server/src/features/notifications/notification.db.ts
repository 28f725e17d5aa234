import { sql, type RawBuilder } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import { selectMemberReaches } from '../../access/member.db.ts'
import { asUuid } from '../../database/expressions.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { ListPosition } from '../../http/endpoint/cursor.ts'
import { notFound } from '../../lib/problem.ts'
import type { NotificationKind } from './notification-rule.ts'

const maxExcerpt = 280

export type NotificationRow = {
  id: string
  kind: NotificationKind
  application_id: string
  application_name: string
  build_id: string | null
  build_version: string | null
  build_number: string | null
  platform: string | null
  release_id: string | null
  release_title: string | null
  release_version: string | null
  feedback_id: string | null
  feedback_text: string | null
  channel_id: string | null
  channel_name: string | null
  stream: string | null
  label: string | null
  actor_name: string | null
  occurred_at: string
  read_at: string | null
}

const versionOf = (table: string) => {
  const parts = ['major', 'minor', 'patch', 'extra', 'meta'].map((part) =>
    sql.ref(`${table}.version_${part}`),
  )
  return sql`case when ${sql.ref(`${table}.id`)} is not null then build_version(${sql.join(parts)}) end`
}

/** The columns of a notification `n` with what it is about. */
const notificationColumns = sql`
  n.id, n.kind, n.application_id, applications.name as application_name, n.build_id,
  ${versionOf('builds')} as build_version, builds.build_number, builds.platform, n.release_id,
  releases.title as release_title, ${versionOf('releases')} as release_version, n.feedback_id,
  left(feedback.text, ${sql.lit(maxExcerpt)}) as feedback_text, n.channel_id, channels.name as channel_name, n.stream,
  n.label, n.actor_name, n.occurred_at, n.read_at`

/** Joins what the notifications `n` are about, without applications and builds in the trash. */
const joinSubjects = sql`
  join applications on applications.id = n.application_id and applications.deleted_at is null
  left join builds on builds.id = n.build_id
  left join releases on releases.id = n.release_id
  left join feedback on feedback.id = n.feedback_id
  left join channels on channels.id = n.channel_id`
const hasSubject = sql`builds.deleted_at is null`

export type MemberNotification = NotificationRow & {
  workspace_id: string
  workspace_name: string
  user_id: string
}

/** Groups notifications by member. */
export const byMember = <Row extends MemberNotification>(notifications: readonly Row[]): Row[][] => [
  ...Map.groupBy(notifications, ({ workspace_id, user_id }) => `${workspace_id} ${user_id}`).values(),
]

/**
 * Lists the notifications with these IDs that their members have not read and can still access, with more columns of
 * `users` and of the settings `s`.
 */
export async function listUnread<Row extends MemberNotification>(
  tx: Tx,
  ids: readonly string[],
  columns: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${notificationColumns}, n.workspace_id, n.user_id, workspaces.name as workspace_name, ${columns}
    from notifications n ${joinSubjects}
      join workspaces on workspaces.id = n.workspace_id
      join users on users.id = n.user_id
      join workspace_members m on m.workspace_id = n.workspace_id and m.user_id = n.user_id
      left join notification_settings s on s.workspace_id = n.workspace_id and s.user_id = n.user_id
    where n.id = any(${[...ids]}::uuid[]) and n.read_at is null and ${hasSubject}
      and ${selectMemberReaches(sql`n.application_id`)}
    order by n.occurred_at, n.id`.execute(tx)
  return rows
}

const isOwn = ({ workspaceId, userId }: Actor) =>
  sql`n.workspace_id = ${workspaceId} and n.user_id = ${userId}`
const isVisible = (actor: Actor) =>
  sql`${isOwn(actor)} and ${selectIsReachable(actor, 'n.application_id')} and ${hasSubject}`

type Filter = { isUnread: boolean; after: ListPosition | undefined; limit: number }

/** Lists the person's notifications of what the person can still access, the latest first. */
export async function listNotificationsAfter(db: Executor, actor: Actor, { isUnread, after, limit }: Filter) {
  const { rows } = await sql<NotificationRow>`
    select ${notificationColumns} from notifications n ${joinSubjects}
    where ${isVisible(actor)} ${isUnread ? sql`and n.read_at is null` : sql``}
      ${after === undefined ? sql`` : sql`and (n.occurred_at, n.id) < (${after.time}::timestamptz, ${asUuid(after.id)})`}
    order by n.occurred_at desc, n.id desc limit ${limit}`.execute(db)
  return rows
}

/** Counts the person's unread notifications, up to `limit`. */
export async function countUnreadNotifications(db: Executor, actor: Actor, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from notifications n ${joinSubjects} where ${isVisible(actor)} and n.read_at is null limit ${limit}
    ) as unread`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns a notification of the person; throws 404 if it does not exist or the person can no longer access it. */
export async function requireNotification(db: Executor, actor: Actor, id: string): Promise<NotificationRow> {
  const { rows } = await sql<NotificationRow>`
    select ${notificationColumns} from notifications n ${joinSubjects}
    where n.id = ${asUuid(id)} and ${isVisible(actor)}`.execute(db)
  if (rows[0] === undefined) throw notFound()
  return rows[0]
}

/** Marks a notification as read or unread. Keeps the time at which it was first read. */
export async function markNotification(db: Executor, id: string, isRead: boolean): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: isRead ? sql<string>`now()` : null })
    .where('id', '=', id)
    .where('read_at', isRead ? 'is' : 'is not', null)
    .execute()
}

/** Marks all notifications of the person as read that occurred up to a time. */
export async function markAllNotificationsRead(
  db: Executor,
  { workspaceId, userId }: Actor,
  until: string | undefined,
): Promise<void> {
  let unread = db
    .updateTable('notifications')
    .set({ read_at: sql<string>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
  if (until !== undefined) unread = unread.where('occurred_at', '<=', until)
  await unread.execute()
}

/** Deletes up to `limit` notifications older than `days` days; returns the number deleted. */
export async function deleteSomeOldNotifications(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('notifications')
    .select('id')
    .where(sql<boolean>`created_at < now() - make_interval(days => ${days}::int)`)
    .limit(limit)
  const result = await db.deleteFrom('notifications').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
