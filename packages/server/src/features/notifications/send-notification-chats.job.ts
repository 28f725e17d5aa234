import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { retryDelaySeconds } from '../../net/retry-delay.ts'
import {
  claimDueChats,
  postponeChats,
  recordChatError,
  removeChats,
  type ChatNotification,
} from './notification-chat.db.ts'
import { notificationCard, sendCard } from './notification-chat.ts'
import { byMember } from './notification.db.ts'

const membersAtOnce = 20
const maxAttempts = 5

/**
 * Sends the notifications that are due to the chats of their members: one message for each member. A message is sent
 * again if the node stops before it has recorded the response.
 */
export const sendNotificationChats = job({
  name: 'notifications.chat',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 10 * 60,
  async handle(deps, _, stopping) {
    while (!stopping.aborted) {
      const { ids, notifications } = await inTransaction(deps.db, (tx) => claimDueChats(tx, membersAtOnce))
      if (ids.length === 0) return
      const sent = await Promise.all(byMember(notifications).map((rows) => sendToMember(deps, rows)))
      const kept = new Set(sent.flat())
      const done = ids.filter((id) => !kept.has(id))
      if (done.length > 0) await removeChats(deps.db, done)
    }
  },
})

/** Sends a message and records the outcome. Returns the IDs of the notifications that are sent again. */
async function sendToMember(deps: Deps, rows: readonly ChatNotification[]): Promise<string[]> {
  const [first] = rows
  if (first === undefined || first.chat_url === null || first.chat_format === null) return []
  const { workspace_id: workspaceId, user_id: userId, chat_url: url, chat_format: format } = first
  const { error, isGone, retryAfter } = await sendCard(
    deps,
    { url, format },
    notificationCard(deps.config, rows),
  )
  await recordChatError(deps.db, { workspaceId, userId }, { url, error })
  const attempts = Math.max(...rows.map((row) => row.attempts))
  if (error === null || isGone || attempts >= maxAttempts) return []
  const seconds = retryDelaySeconds(attempts, { header: retryAfter, nowMs: deps.clock.now().getTime() })
  const ids = rows.map(({ id }) => id)
  await postponeChats(deps.db, ids, seconds ?? 0)
  return ids
}
