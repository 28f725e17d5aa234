import type { ChatCard } from './chat-card.ts'
import { discordMessage } from './discord-message.ts'
import { slackMessage } from './slack-message.ts'
import { teamsMessage } from './teams-message.ts'

type ChatService = {
  /** Matches the URLs for which this format is the default. */
  url: RegExp
  message: (card: ChatCard) => object
  /** Returns whether the response means that the webhook was deleted in the chat service. */
  isGone: (status: number, body: string) => boolean
}

const chatServices: Record<'slack' | 'discord' | 'teams', ChatService> = {
  slack: {
    // Other paths, such as /triggers/, start workflows, each of which expects its own variables.
    url: /^https:\/\/hooks\.slack(-gov)?\.com\/services\//,
    message: slackMessage,
    isGone: (status, body) => status === 404 && /^no_(service|team)\b/.test(body),
  },
  discord: {
    // Paths that end in /slack or /github accept messages in the formats of those services.
    url: /^https:\/\/((canary|ptb)\.)?discord(app)?\.com\/api\/(v\d+\/)?webhooks\/[^/]+\/[^/?]+\/?(\?|$)/,
    message: discordMessage,
    isGone: (status, body) => status === 404 && /"code":\s*10015\b/.test(body),
  },
  teams: {
    url: /^https:\/\/[^/]+\.(logic\.azure\.(com|us)|environment\.api\.powerplatform\.com)(:\d+)?\/(powerautomate\/automations\/direct\/)?workflows\//,
    message: teamsMessage,
    isGone: () => false,
  },
}

export type ChatFormat = keyof typeof chatServices
export const chatFormats = Object.keys(chatServices) as ChatFormat[]

export const isChatFormat = (format: string): format is ChatFormat => Object.hasOwn(chatServices, format)

/** Returns the format of the chat service that a URL belongs to, or undefined. */
export function chatFormatOf(url: string): ChatFormat | undefined {
  const normalized = URL.parse(url)?.href ?? ''
  return chatFormats.find((format) => chatServices[format].url.test(normalized))
}

/** Returns a chat message and its content type. */
export const encodeCard = (card: ChatCard, format: ChatFormat) => ({
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(chatServices[format].message(card)),
})

const gone = 410

/** Returns whether the response means that the receiver no longer exists. No more requests are sent to it then. */
export const isReceiverGone = (format: string, status: number | null, body: string | null): boolean =>
  status === gone ||
  (status !== null && isChatFormat(format) && chatServices[format].isGone(status, body ?? ''))
