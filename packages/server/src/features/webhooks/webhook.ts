import { Type, type Static } from 'typebox'
import type { Tx } from '../../database/transaction.ts'
import { recordEvents } from '../../events/record-event.ts'
import { changesOf } from '../../http/changes.ts'
import type { Call } from '../../http/endpoint.ts'
import { Nullable, PathId, text, Timestamp } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'
import { WebhookRequest, webhookRequestResource } from './webhook-request.ts'
import { deleteWebhooksOf, listLockedWebhooksOf, type Narrowing, type WebhookRow } from './webhook.db.ts'

export const mostActive = 10

const webhookEvents = [
  'build.created',
  'build.created.stream',
  'build.moved',
  'build.moved.stream',
  'build.label.added',
  'build.processed',
  'build.deleted',
  'release.created',
  'release.updated',
  'release.deleted',
] as const

export const WebhookId = PathId('Id of the webhook.')

const WebhookEvent = Type.Enum([...webhookEvents])
const WebhookFormat = Type.Enum(['json', 'form'], {
  description: 'form sends the JSON in the field payload.',
})

const fields = {
  id: Type.String(),
  description: Nullable(Type.String()),
  url: Type.String(),
  event: WebhookEvent,
  secret_configured: Type.Boolean({ description: 'The secret itself is never answered.' }),
  format: WebhookFormat,
  level: Type.Enum(['application']),
  is_active: Type.Boolean(),
  in_error_state: Type.Boolean(),
  last_successful_request_at: Nullable(Timestamp),
  last_failed_request_at: Nullable(Timestamp),
  event_subscription: Type.Object({
    event: WebhookEvent,
    stream: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    label: Nullable(Type.Object({ id: Type.String(), name: Type.String(), color: Type.String() })),
  }),
  application_id: Type.String(),
  workspace_id: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Webhook = Type.Object(fields, { title: 'Webhook' })

export const SingleWebhook = Type.Object(
  { ...fields, latest_webhook_request: Nullable(WebhookRequest) },
  { title: 'SingleWebhook' },
)

const wish = {
  url: Type.String({ minLength: 1, maxLength: 2000, examples: ['https://example.com/hook'] }),
  event: WebhookEvent,
  stream: Nullable(
    Type.String({
      maxLength: 255,
      description:
        'Id or name: only builds of this stream. Events that end in .stream need it, those of releases take none.',
    }),
  ),
  label: Nullable(Type.String({ maxLength: 255, description: 'Id or name: only what bears this label.' })),
  description: Nullable(text(1000)),
  format: WebhookFormat,
  secret: Nullable(Type.String({ minLength: 8, maxLength: 255, description: 'Signs what is sent.' })),
  is_active: Type.Boolean(),
}

export const NewWebhook = Type.Object({
  url: wish.url,
  event: wish.event,
  stream: Type.Optional(wish.stream),
  label: Type.Optional(wish.label),
  description: Type.Optional(wish.description),
  format: Type.Optional(wish.format),
  secret: Type.Optional(wish.secret),
  is_active: Type.Optional(wish.is_active),
})

export const WebhookChanges = changesOf(wish)

export function webhookResource(row: WebhookRow): Static<typeof Webhook> {
  const { id, description, url, is_active, in_error_state, application_id, workspace_id } = row
  const event = row.event as (typeof webhookEvents)[number]
  return {
    id,
    description,
    url,
    event,
    secret_configured: row.secret_configured,
    format: row.format as 'json' | 'form',
    level: 'application',
    is_active,
    in_error_state,
    last_successful_request_at: row.last_successful_request_at,
    last_failed_request_at: row.last_failed_request_at,
    event_subscription: {
      event,
      stream: row.stream_id === null ? null : { id: row.stream_id, name: row.stream_name ?? '' },
      label:
        row.label_id === null
          ? null
          : { id: row.label_id, name: row.label_name ?? '', color: row.label_color ?? '' },
    },
    application_id,
    workspace_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export function singleWebhookResource(
  row: WebhookRow,
  latest: Parameters<typeof webhookRequestResource>[0] | undefined,
): Static<typeof SingleWebhook> {
  const latest_webhook_request = latest === undefined ? null : webhookRequestResource(latest)
  return { ...webhookResource(row), latest_webhook_request }
}

/** What the audit log keeps of a webhook: never its secret. */
export function webhookFacts(row: WebhookRow) {
  const { url, event, stream_id, label_id, description, format, is_active, secret_configured } = row
  return { url, event, stream_id, label_id, description, format, is_active, secret_configured }
}

export const tooManyActive = (): Problem =>
  new Problem(
    'conflict',
    'webhook.too_many',
    `An application has at most ${mostActive} active webhooks: delete one or switch one off.`,
  )

/** Webhooks that hear of one stream or label alone go with it, each with its own audit entry; answers how many went. */
export async function removeWebhooks(tx: Tx, call: Call, narrowing: Narrowing): Promise<number> {
  const webhooks = await listLockedWebhooksOf(tx, narrowing)
  if (webhooks.length > 0) await deleteWebhooksOf(tx, narrowing)
  await recordEvents(
    tx,
    call,
    webhooks.map((webhook) => ({
      action: 'webhook.deleted',
      applicationId: webhook.application_id,
      subject: { type: 'webhook', id: webhook.id },
      before: webhookFacts(webhook),
    })),
  )
  return webhooks.length
}

/** What the answer adds to "Stream deleted" or "Label deleted". */
export const withWebhooks = (count: number): string =>
  count === 0 ? '.' : `, and ${count === 1 ? '1 webhook' : `${count} webhooks`} that heard of nothing else.`
