import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps.ts'
import { reportedText } from '../../lib/reported-text.ts'
import type { ChatCard } from '../../net/chat/chat-card.ts'
import { chatFormatOf, encodeCard, isReceiverGone, type ChatFormat } from '../../net/chat/chat-format.ts'
import { post } from '../../net/post.ts'
import type { NotificationKind } from './notification-rule.ts'
import { notificationTitle } from './notification-title.ts'
import type { MemberNotification } from './notification.db.ts'
import { notificationUrl } from './notification.ts'

const maxListed = 10
const maxTitleCharacters = 250
const maxNotesCharacters = 500
const maxErrorCharacters = 200

const kindNames: Record<NotificationKind, string> = {
  access_granted: 'Access',
  access_request: 'Access request',
  build: 'Build',
  build_failed: 'Build',
  feedback: 'Feedback',
  mention: 'Mention',
  release: 'Release',
  rollout_stopped: 'Rollout',
}

/** Returns the message about the notifications of a member, the oldest first. */
export function notificationCard(
  config: Pick<Config, 'publicUrl'>,
  notifications: readonly MemberNotification[],
): ChatCard {
  const [first] = notifications
  if (first === undefined) throw new Error('a chat message has no notifications')
  const lineOf = (row: MemberNotification) => ({
    value: reportedText(notificationTitle(row), maxTitleCharacters),
    url: notificationUrl(config, row),
  })
  const title = reportedText(first.workspace_name, maxTitleCharacters)
  if (notifications.length === 1) {
    const { value: subject, url } = lineOf(first)
    const notes = reportedText(first.feedback_text ?? '', maxNotesCharacters) || undefined
    return { title, subject, url, facts: [], notes }
  }
  const more = notifications.length - maxListed
  return {
    title,
    subject: `${notifications.length} notifications`,
    url: `${config.publicUrl}/inbox`,
    facts: notifications.slice(0, maxListed).map((row) => ({ name: kindNames[row.kind], ...lineOf(row) })),
    notes: more > 0 ? `and ${more} more in your inbox` : undefined,
  }
}

/** Returns the message that shows that a chat works. */
export const testCard = ({ publicUrl }: Pick<Config, 'publicUrl'>): ChatCard => ({
  title: 'Quayside',
  subject: 'Your notifications will appear here',
  url: `${publicUrl}/account?section=notifications`,
  facts: [],
  notes: undefined,
})

/**
 * Returns the format of the messages to a URL, or undefined if nobody may send messages there: any member can enter a
 * URL, so the services are those that are known and the hosts that the operator allows.
 */
export function allowedFormat(
  { chatHosts }: Pick<Config, 'chatHosts'>,
  url: string,
  given: ChatFormat | null | undefined,
): ChatFormat | undefined {
  const parsed = URL.parse(url)
  const isAllowedHost =
    parsed !== null &&
    /^https?:$/.test(parsed.protocol) &&
    [parsed.host, parsed.hostname].some((host) => chatHosts.includes(host))
  return chatFormatOf(url) ?? (isAllowedHost ? (given ?? 'slack') : undefined)
}

export const unknownChat =
  'is not an incoming webhook of Slack, Discord or Microsoft Teams. The operator can allow other chat servers with QUAYSIDE_CHAT_HOSTS.'

type Delivered = {
  /** Why the message was not delivered, as a sentence; null if it was. */
  error: string | null
  isGone: boolean
  retryAfter: string | undefined
}

/** Sends a message to a chat. */
export async function sendCard(
  { webhookPoster }: Pick<Deps, 'webhookPoster'>,
  { url, format }: { url: string; format: ChatFormat },
  card: ChatCard,
): Promise<Delivered> {
  const { contentType, body } = encodeCard(card, format)
  const { code, headers, payload, error } = await post(webhookPoster, {
    url,
    headers: { 'content-type': contentType },
    body,
  })
  const answer = reportedText(payload ?? '', maxErrorCharacters)
  const rejection = `The chat responded with ${code}${answer === '' ? '.' : `: ${answer}`}`
  const isDelivered = code !== null && code >= 200 && code < 300
  return {
    error: isDelivered ? null : (error ?? rejection),
    isGone: isReceiverGone(format, code, payload),
    retryAfter: headers?.['retry-after'],
  }
}
