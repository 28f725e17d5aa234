import { Type, type Static } from 'typebox'
import { requireApplication, type ApplicationRef } from '../../access/application.db.ts'
import type { Conflicts } from '../../database/conflicts.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import { eventCatalogue, eventNames, type EventName } from '../../events/catalogue.ts'
import { recordEvents, type Initiator } from '../../events/record-event.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { Nullable, PathId, text, Timestamp } from '../../http/endpoint/fields.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { problem } from '../../lib/problem.ts'
import { isWebUrl } from '../../net/web-url.ts'
import { findLabel } from '../labels/label.db.ts'
import { unknownLabel } from '../labels/label.ts'
import { requireStreamId } from '../streams/stream.db.ts'
import { unknownStream } from '../streams/stream.ts'
import { webhookFormats, type WebhookFormat as WebhookFormatName } from './webhook-format.ts'
import { findLatestWebhookRequest, requireWebhookRequest } from './webhook-request.db.ts'
import { WebhookRequest, webhookRequestResource } from './webhook-request.ts'
import { secretError } from './webhook-signature.ts'
import {
  countActiveWebhooks,
  listLockedWebhooksOf,
  removeWebhooks,
  requireWebhook,
  type Narrowing,
  type WebhookRow,
} from './webhook.db.ts'

export const maxActiveWebhooks = 10

export const WebhookId = PathId('ID of the webhook.')

export const WebhookEvent = Type.Enum(eventNames, { title: 'WebhookEvent' })
export const WebhookFormat = Type.Enum([...webhookFormats], {
  description:
    '`form` sends the JSON in a form field named `payload`. `slack`, `discord` and `teams` send a message in the format of that chat service. Defaults to the format of the chat service that `url` belongs to, or to `json`.',
})

const fields = {
  id: Type.String(),
  description: Nullable(Type.String()),
  url: Type.String(),
  event: WebhookEvent,
  secret_configured: Type.Boolean({ description: 'The secret itself is never returned.' }),
  secret_is_weak: Type.Boolean({
    description:
      'Whether the secret can be guessed, so that anyone can send requests that the receiver accepts. Earlier versions accepted such secrets. They still sign requests; set a new one.',
  }),
  format: WebhookFormat,
  level: Type.Enum(['application']),
  is_active: Type.Boolean(),
  in_error_state: Type.Boolean(),
  last_successful_request_at: Nullable(Timestamp),
  last_failed_request_at: Nullable(Timestamp),
  failing_since: Nullable(Timestamp),
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

const input = {
  url: Type.String({ minLength: 1, maxLength: 2000, examples: ['https://example.com/hook'] }),
  event: WebhookEvent,
  stream: Nullable(
    Type.String({
      maxLength: 255,
      description:
        'ID or name of a stream. Limits the webhook to builds in this stream. Required for events that end in `.stream`; not allowed for release events.',
    }),
  ),
  label: Nullable(
    Type.String({
      maxLength: 255,
      description: 'ID or name of a label. Limits the webhook to builds or releases with this label.',
    }),
  ),
  description: Nullable(text(1000)),
  format: WebhookFormat,
  secret: Nullable(
    Type.String({
      minLength: 8,
      maxLength: 255,
      description:
        'Secret that is used to sign each request: a key of 24 to 64 bytes in Base64 after `whsec_`, or at least 8 ASCII characters, which are the key themselves.',
    }),
  ),
  is_active: Type.Boolean(),
}

export const NewWebhook = Type.Object({
  url: input.url,
  event: input.event,
  stream: Type.Optional(input.stream),
  label: Type.Optional(input.label),
  description: Type.Optional(input.description),
  format: Type.Optional(input.format),
  secret: Type.Optional(input.secret),
  is_active: Type.Optional(input.is_active),
})

export const WebhookChanges = changesOf(input)

type PathCall<Params> = { db: Db; actor: Actor; params: Params }

/** Loads the application and the webhook that the path identifies; throws 404 if either does not exist. */
export async function requireWebhookOfPath(call: PathCall<{ application_id: string; webhook_id: string }>) {
  const application = await requireApplication(call.db, call.actor, call.params.application_id)
  return { application, webhook: await requireWebhook(call.db, application.id, call.params.webhook_id) }
}

/**
 * Loads the application, the webhook and the webhook request that the path identifies; throws 404 if any of them does
 * not exist.
 */
export async function requireWebhookRequestOfPath(
  call: PathCall<{ application_id: string; webhook_id: string; webhook_request_id: string }>,
) {
  const { application, webhook } = await requireWebhookOfPath(call)
  const request = await requireWebhookRequest(call.db, webhook.id, call.params.webhook_request_id)
  return { application, webhook, request }
}

export function webhookResource(row: WebhookRow): Static<typeof Webhook> {
  const { id, description, url, is_active, in_error_state, application_id, workspace_id } = row
  const event = row.event as EventName
  const { stream_id, stream_name, label_id, label_name, label_color } = row
  return {
    id,
    description,
    url,
    event,
    secret_configured: row.secret_configured,
    secret_is_weak: row.secret_is_weak,
    format: row.format as WebhookFormatName,
    level: 'application',
    is_active,
    in_error_state,
    last_successful_request_at: row.last_successful_request_at,
    last_failed_request_at: row.last_failed_request_at,
    failing_since: row.failing_since,
    event_subscription: {
      event,
      stream: stream_id === null ? null : { id: stream_id, name: stream_name ?? '' },
      label: label_id === null ? null : { id: label_id, name: label_name ?? '', color: label_color ?? '' },
    },
    application_id,
    workspace_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Returns the webhook with its latest request, which webhook lists omit. */
export async function singleWebhookResource(
  db: Executor,
  row: WebhookRow,
): Promise<Static<typeof SingleWebhook>> {
  const latest = await findLatestWebhookRequest(db, row.id)
  const latest_webhook_request = latest === undefined ? null : webhookRequestResource(latest)
  return { ...webhookResource(row), latest_webhook_request }
}

/** Returns the fields of a webhook that the audit log records. The secret is not included. */
export function webhookAuditSnapshot(row: WebhookRow) {
  const { url, event, stream_id, label_id, description, format, is_active, secret_configured } = row
  return { url, event, stream_id, label_id, description, format, is_active, secret_configured }
}

/** Returns the URL without surrounding whitespace; throws 422 if it is invalid or contains credentials. */
export function parseWebhookUrl(input: string): string {
  const url = input.trim()
  if (!isWebUrl(url)) throw invalid({ url: ['must be an http or https URL.'] })
  const { username, password } = new URL(url)
  if (username !== '' || password !== '')
    throw invalid({
      url: ['must not contain a user name or password, because everyone who can read webhooks can see them.'],
    })
  return url
}

/** Throws 422 if the secret does not give a key. */
export function requireUsableSecret(secret: string | null | undefined): void {
  const reason = typeof secret === 'string' ? secretError(secret) : undefined
  if (reason !== undefined) throw invalid({ secret: [reason] })
}

type NarrowingInput = { stream?: string | null | undefined; label?: string | null | undefined }

/** Returns the columns for the fields that are present; throws 422 if the stream or label is unknown. */
export async function narrowingColumns(
  db: Executor,
  application: ApplicationRef,
  { stream, label }: NarrowingInput,
) {
  const columns: { stream_id?: string | null; label_id?: string | null } = {}
  if (stream !== undefined)
    columns.stream_id = stream === null ? null : await requireStreamId(db, application.applicationId, stream)
  if (label !== undefined)
    columns.label_id = label === null ? null : await requireLabelId(db, application, label)
  return columns
}

async function requireLabelId(db: Executor, application: ApplicationRef, idOrName: string): Promise<string> {
  const label = await findLabel(db, application, idOrName)
  if (label === undefined) throw invalid({ label: [unknownLabel(idOrName)] })
  return label.id
}

/** Returns conflict handlers that report a stream or label as unknown if it was deleted before the write. */
export const narrowingConflicts = ({ stream, label }: NarrowingInput): Conflicts => ({
  webhooks_stream_id_application_id_fkey: () => invalid({ stream: [unknownStream(stream ?? '')] }),
  webhooks_label_id_workspace_id_fkey: () => invalid({ label: [unknownLabel(label ?? '')] }),
})

/**
 * Throws 422 if the event requires a stream and none is set, or if a stream is set but the event does not allow one.
 */
export function assertStreamFits(event: EventName, streamId: string | null): void {
  const { stream } = eventCatalogue[event]
  if (stream === 'required' && streamId === null)
    throw invalid({ stream: [`is required when \`event\` is "${event}".`] })
  if (stream === 'not allowed' && streamId !== null)
    throw invalid({ stream: [`is not allowed when \`event\` is "${event}".`] })
}

/**
 * Throws 409 if the application already has the maximum number of active webhooks. The caller must hold the lock on the
 * application.
 */
export async function assertCanAddActiveWebhook(tx: Tx, applicationId: string): Promise<void> {
  if ((await countActiveWebhooks(tx, applicationId)) >= maxActiveWebhooks) throw tooManyWebhooks()
}

export const tooManyWebhooks = problem(
  'conflict',
  'webhook.too_many',
  `An application can have at most ${maxActiveWebhooks} active webhooks. Delete or deactivate one.`,
)

/**
 * Deletes the webhooks that are limited to a stream or label and records an audit entry for each. Returns the part of
 * the response message that reports the deletions, which is empty if there are none.
 */
export async function deleteWebhooksOf(tx: Tx, initiator: Initiator, narrowing: Narrowing): Promise<string> {
  const webhooks = await listLockedWebhooksOf(tx, narrowing)
  if (webhooks.length === 0) return ''
  await removeWebhooks(
    tx,
    webhooks.map(({ id }) => id),
  )
  await recordEvents(
    tx,
    initiator,
    webhooks.map((webhook) => ({
      action: 'webhook.deleted',
      applicationId: webhook.application_id,
      subject: { type: 'webhook', id: webhook.id },
      before: webhookAuditSnapshot(webhook),
    })),
  )
  return `, along with ${webhooks.length === 1 ? '1 webhook' : `${webhooks.length} webhooks`} limited to it`
}
