import { Type, type Static } from 'typebox'
import { Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { uuidV7 } from '../../lib/ids.ts'
import type { Envelope, WebhookRequestRow } from './webhook-request.db.ts'

export const WebhookRequestId = PathId('ID of the webhook request.')

const Headers = Type.Record(Type.String(), Type.String())

export const WebhookRequestState = Type.Enum(['waiting', 'delivered', 'failed'])

export const RequestPayload = Type.Object(
  {
    id: Type.String(),
    event: Type.String(),
    created: Type.Integer({ description: 'Unix time in seconds.' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Contains the `build` or `release`. Some events also contain the `stream` or `label`. Test requests contain `test: true`.',
    }),
  },
  { description: 'The event. Chat services receive a message that is generated from it.' },
)

const Attempt = Type.Object({
  started_at: Timestamp,
  response_code: Nullable(Type.Integer()),
  duration: Type.Number({ description: 'Duration in milliseconds.' }),
  error: Nullable(Type.String()),
})

const fields = {
  id: Type.String(),
  event: Type.String(),
  url: Type.String(),
  state: WebhookRequestState,
  duration: Nullable(Type.Number({ description: 'Duration of the last attempt in milliseconds.' })),
  request_headers: Headers,
  request_payload: RequestPayload,
  response_code: Nullable(Type.Integer()),
  response_headers: Nullable(Headers),
  response_payload: Nullable(Type.String()),
  error: Nullable(
    Type.String({ description: 'The reason why no response was received, such as a refused connection.' }),
  ),
  delivery_attempts: Type.Integer(),
  attempts: Type.Array(Attempt, {
    description:
      'The attempts, oldest first. Does not contain attempts that were interrupted, or that were made before the server was upgraded to a version with this list.',
  }),
  next_attempt_at: Nullable(Timestamp),
  redelivery_of: Nullable(
    Type.String({
      description:
        'ID of the request that this one redelivers, which may have been deleted; `null` if this is not a redelivery.',
    }),
  ),
  created_at: Timestamp,
}

export const WebhookRequest = Type.Object(fields, { title: 'WebhookRequest' })

export const SingleWebhookRequest = Type.Object(
  {
    ...fields,
    request_body: Type.String({
      description: 'The body in the current format of the webhook. Signatures are calculated from it.',
    }),
  },
  { title: 'SingleWebhookRequest' },
)

export function envelopeOf(event: string, data: Record<string, unknown>, now: Date): Envelope {
  return { id: uuidV7(), event, created: Math.floor(now.getTime() / 1000), data }
}

export function webhookRequestResource(row: WebhookRequestRow): Static<typeof WebhookRequest> {
  const { id, event, url, response_code, response_payload, error, delivery_attempts } = row
  return {
    id,
    event,
    url,
    state: row.state as 'waiting' | 'delivered' | 'failed',
    duration: row.duration_ms,
    request_headers: row.request_headers as Record<string, string>,
    request_payload: row.request_payload as Envelope,
    response_code,
    response_headers: row.response_headers as Record<string, string> | null,
    response_payload,
    error,
    delivery_attempts,
    attempts: row.attempts as Static<typeof Attempt>[],
    next_attempt_at: row.next_attempt_at,
    redelivery_of: row.redelivery_of,
    created_at: row.created_at,
  }
}
