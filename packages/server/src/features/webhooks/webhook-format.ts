import {
  chatFormatOf,
  chatFormats,
  encodeCard,
  isChatFormat,
  type ChatFormat,
} from '../../net/chat/chat-format.ts'
import { chatCard } from './chat-card.ts'
import type { Envelope } from './webhook-request.db.ts'

export type WebhookFormat = 'json' | 'form' | ChatFormat

export const webhookFormats: readonly WebhookFormat[] = ['json', 'form', ...chatFormats]

/** Returns the default format for a URL: the format of the chat service that it belongs to, or `json`. */
export const defaultFormat = (url: string): WebhookFormat => chatFormatOf(url) ?? 'json'

/** `payload` is the envelope as JSON. */
type Content = { payload: string; format: string; application_name: string }

/** Returns the body of a request and its content type. */
export function encodePayload({ payload, format, application_name }: Content) {
  if (isChatFormat(format))
    return encodeCard(chatCard(JSON.parse(payload) as Envelope, application_name), format)
  if (format !== 'form') return { contentType: 'application/json; charset=utf-8', body: payload }
  return {
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ payload }).toString(),
  }
}
