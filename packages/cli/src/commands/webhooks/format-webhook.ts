import type { SingleWebhook, Webhook, WebhookRequest } from '@quayside/sdk'
import { formatFields, formatTime } from '../../output/format.ts'

/** Formats a webhook as a list of fields. */
export function formatWebhook(webhook: SingleWebhook): string {
  const { stream, label } = webhook.event_subscription
  const latest = webhook.latest_webhook_request
  return formatFields([
    ['Webhook', webhook.id],
    ['URL', webhook.url],
    ['Event', webhook.event],
    ['Stream', stream?.name],
    ['Label', label?.name],
    ['Description', webhook.description],
    ['Format', webhook.format],
    ['Signed', formatSigned(webhook)],
    ['State', formatWebhookState(webhook)],
    ['Latest delivery', latest && `${formatTime(latest.created_at)} ${formatDelivery(latest)}`],
    ['Created', webhook.created_at],
  ])
}

function formatSigned({ secret_configured, secret_is_weak }: Webhook): string {
  if (secret_is_weak) return 'yes, with a weak secret: set a new one'
  return secret_configured ? 'yes' : 'no'
}

export function formatWebhookState({ is_active, in_error_state }: Webhook): string {
  if (!is_active) return 'inactive'
  return in_error_state ? 'failing' : 'active'
}

/** Formats the state of a delivery, such as `failed, HTTP 500`. */
export function formatDelivery({ state, response_code }: WebhookRequest): string {
  return response_code === null ? state : `${state}, HTTP ${response_code}`
}

/** Formats a delivery that was just queued and explains how to see its result. */
export function formatQueuedDelivery(webhookId: string, request: WebhookRequest): string {
  const fields = formatFields([
    ['Delivery', request.id],
    ['Event', request.event],
    ['URL', request.url],
    ['State', formatDelivery(request)],
  ])
  return `${fields}\n\nRun \`quayside webhooks deliveries ${webhookId}\` to see the result.`
}

export const webhookNotFound = (id: string): string =>
  `Webhook ${id} was not found in this application. Run \`quayside webhooks list\` to see the webhooks.`
