import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { ChatFormat } from '../../net/chat/chat-format.ts'
import { isQuiet, joinSettings, type Member } from './notification-settings.db.ts'
import { listUnread, type MemberNotification } from './notification.db.ts'

/** The time after which another run sends what a stopped node has claimed. */
const leaseMinutes = 5

export type ChatNotification = MemberNotification & {
  chat_url: string | null
  chat_format: ChatFormat | null
  attempts: number
}

/**
 * Claims the notifications of up to `limit` members that are due to be sent to their chats. Returns the IDs of all, and
 * the notifications that the member has not read and can still access. Of concurrent calls, only one gets a notification.
 */
export async function claimDueChats(
  tx: Tx,
  limit: number,
): Promise<{ ids: string[]; notifications: ChatNotification[] }> {
  const { rows: due } = await sql<{ notification_id: string; attempts: number }>`
    with waiting as (
      select c.notification_id, n.workspace_id, n.user_id
      from notification_chats c join notifications n on n.id = c.notification_id ${joinSettings}
      where c.next_attempt_at <= now() and not ${isQuiet}
    ), members as (select distinct workspace_id, user_id from waiting limit ${limit})
    update notification_chats c
    set attempts = c.attempts + 1, next_attempt_at = now() + make_interval(mins => ${leaseMinutes})
    from waiting join members using (workspace_id, user_id)
    where c.notification_id = waiting.notification_id and c.next_attempt_at <= now()
    returning c.notification_id, c.attempts`.execute(tx)
  const ids = due.map(({ notification_id }) => notification_id)
  const attempts = new Map(due.map(({ notification_id, attempts: made }) => [notification_id, made]))
  const rows = await listUnread<ChatNotification>(tx, ids, sql`s.chat_url, s.chat_format`)
  return { ids, notifications: rows.map((row) => ({ ...row, attempts: attempts.get(row.id) ?? 1 })) }
}

export async function removeChats(db: Executor, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('notification_chats').where('notification_id', 'in', ids).execute()
}

export async function postponeChats(db: Executor, ids: readonly string[], seconds: number): Promise<void> {
  await db
    .updateTable('notification_chats')
    .set({ next_attempt_at: sql<string>`now() + make_interval(secs => ${seconds})` })
    .where('notification_id', 'in', ids)
    .execute()
}

/** Records why the last message to a chat was not delivered, or that it was, unless the member uses another chat now. */
export async function recordChatError(
  db: Executor,
  { workspaceId, userId }: Member,
  { url, error }: { url: string; error: string | null },
): Promise<void> {
  await db
    .updateTable('notification_settings')
    .set({ chat_error: error })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('chat_url', '=', url)
    .where('chat_error', 'is distinct from', error)
    .execute()
}
