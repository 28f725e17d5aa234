import type { Webhook, WebhookEvent } from '@quayside/sdk'
import { isChatFormat } from './webhook-format.ts'

/** The input of the dialog. Streams and labels are IDs; null means any. */
export type WebhookForm = {
  url: string
  description: string
  event: WebhookEvent
  stream: string | null
  label: string | null
  format: Webhook['format']
  secretKind: 'generated' | 'own' | 'none'
  secret: string
}

export const fieldsOf = (webhook: Webhook | undefined): WebhookForm => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  event: webhook?.event ?? 'build.created',
  stream: webhook?.event_subscription.stream?.id ?? null,
  label: webhook?.event_subscription.label?.id ?? null,
  format: webhook?.format ?? 'json',
  secretKind: 'generated',
  secret: '',
})

/** Returns whether a webhook for this event can be limited to a stream, must be, or cannot be. */
export function streamRule(event: WebhookEvent): 'required' | 'optional' | 'not allowed' {
  if (event.endsWith('.stream')) return 'required'
  return event.startsWith('release.') ? 'not allowed' : 'optional'
}

export const isSigned = ({ format, secretKind }: WebhookForm): boolean =>
  secretKind !== 'none' && !isChatFormat(format)
