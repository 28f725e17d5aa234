import { chatCard, type ChatCard } from './chat-card.ts'
import { discordMessage } from './discord-message.ts'
import { slackMessage } from './slack-message.ts'
import { teamsMessage } from './teams-message.ts'
import type { Envelope } from './webhook-request.db.ts'

type ChatService = {
  /** Matches the URLs for which this format is the default. */
  url: RegExp
  message: (card: ChatCard) => object
  /** Returns whether the response means that the webhook was deleted in the chat service. */
  isGone: (status: number, body: string) => boolean
}

const jsonType = 'application/json; charset=utf-8'

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

export type WebhookFormat = 'json' | 'form' | keyof typeof chatServices

export const chatFormats = Object.keys(chatServices) as (keyof typeof chatServices)[]

export const webhookFormats: readonly WebhookFormat[] = ['json', 'form', ...chatFormats]

const chatServiceOf = (format: string): ChatService | undefined =>
  Object.hasOwn(chatServices, format) ? chatServices[format as keyof typeof chatServices] : undefined

/** Returns the default format for a URL: the format of the chat service that it belongs to, or `json`. */
export function defaultFormat(url: string): WebhookFormat {
  const normalized = URL.parse(url)?.href ?? ''
  return chatFormats.find((format) => chatServices[format].url.test(normalized)) ?? 'json'
}

/** `payload` is the envelope as JSON. */
type Content = { payload: string; format: string; application_name: string }

/** Returns the body of a request and its content type. */
export function encodePayload({ payload, format, application_name }: Content) {
  const chatService = chatServiceOf(format)
  if (chatService !== undefined) {
    const message = chatService.message(chatCard(JSON.parse(payload) as Envelope, application_name))
    return { contentType: jsonType, body: JSON.stringify(message) }
  }
  if (format !== 'form') return { contentType: jsonType, body: payload }
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ payload }).toString(),
  }
}

const gone = 410

/** Returns whether the response means that the receiver no longer exists. No more requests are sent to it then. */
export const isReceiverGone = (format: string, status: number | null, body: string | null): boolean =>
  status === gone || (status !== null && (chatServiceOf(format)?.isGone(status, body ?? '') ?? false))
