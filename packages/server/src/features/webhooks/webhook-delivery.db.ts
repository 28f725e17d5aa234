import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Envelope } from './webhook-request.db.ts'

/** A request that this node sends, with the settings of its webhook. */
export type Delivery = {
  id: string
  webhook_id: string
  url: string
  format: string
  /** The number of attempts, including this one. */
  delivery_attempts: number
  request_payload: Envelope
  secret_encrypted: Uint8Array | null
  /** Null once the previous secret is no longer used. */
  previous_secret_encrypted: Uint8Array | null
  /** Whether the most recent attempt of the webhook failed. */
  is_failing: boolean
}

/** The outcome of an attempt. `code`, `headers` and `payload` are null if no response was received. */
export type Attempt = {
  durationMs: number
  requestHeaders: Record<string, string>
  code: number | null
  headers: Record<string, string> | null
  payload: string | null
  error: string | null
}

/** The time after which a request is due again if the node that was sending it has been killed. */
const leaseSeconds = 30

/** A webhook is deactivated if all its attempts fail for longer than this. */
const maxFailingDays = 5

/** Creates the requests for these events, in the order of the events. */
export async function insertRequestsForEvents(tx: Tx, eventIds: readonly string[]): Promise<void> {
  await sql`
    insert into webhook_requests (id, webhook_id, event_id, event, url, request_payload, next_attempt_at, created_at)
    select gen_random_uuid(), webhooks.id, events.id, events.name, webhooks.url,
      jsonb_build_object('id', events.id, 'event', events.name,
        'created', floor(extract(epoch from events.created_at))::bigint, 'data', events.data),
      now(), clock_timestamp()
    from events
    join webhooks on webhooks.application_id = events.application_id and webhooks.event = events.name
      and webhooks.is_active and webhooks.created_at <= events.created_at
    cross join lateral (select coalesce(events.data->'build', events.data->'release') as resource) as subject
    where events.id = any(${eventIds}::uuid[])
      and (webhooks.stream_id is null
        or webhooks.stream_id = coalesce(events.data->'stream'->>'id', resource->'stream'->>'id'))
      and (webhooks.label_id is null or case
        when events.data ? 'label' then events.data->'label'->>'id' = webhooks.label_id
        else resource->'labels' @> jsonb_build_array(jsonb_build_object('id', webhooks.label_id)) end)
    order by events.created_at, events.id`.execute(tx)
}

type Claim = {
  limit: number
  /** The number of requests in progress on this node, by webhook. */
  inProgress: Readonly<Record<string, number>>
  maxPerWebhook: number
  maxPerFailingWebhook: number
  /** Whether to include webhooks whose last attempt failed. */
  includeFailing: boolean
}

/** The maximum number of due requests that a claim considers, so that it does not sort the whole queue. */
const candidateLimit = 1_000

/**
 * Claims up to `limit` due requests for an attempt and returns them. The requests that have been due the longest are
 * claimed first. No other node claims them until the attempt is recorded or the lease of 30 s expires.
 */
export async function claimDeliveries(
  db: Executor,
  { limit, inProgress, maxPerWebhook, maxPerFailingWebhook, includeFailing }: Claim,
): Promise<Delivery[]> {
  const counts = JSON.stringify(inProgress)
  const { rows } = await sql<Delivery>`
    with candidates as (
      select webhook_requests.id, webhook_id, next_attempt_at,
        case when failing_since is null then ${maxPerWebhook}::int else ${maxPerFailingWebhook}::int end
          - coalesce((${counts}::jsonb->>(webhook_id::text))::int, 0) as free
      from webhook_requests join webhooks on webhooks.id = webhook_id
      where state = 'waiting' and next_attempt_at <= now() and (${includeFailing}::boolean or failing_since is null)
        and coalesce((${counts}::jsonb->>(webhook_id::text))::int, 0)
          < case when failing_since is null then ${maxPerWebhook}::int else ${maxPerFailingWebhook}::int end
      order by next_attempt_at limit ${candidateLimit}
    ), selected as (
      select id from (
        select *, row_number() over (partition by webhook_id order by next_attempt_at, id) as position from candidates
      ) as numbered
      where position <= free order by next_attempt_at limit ${limit}
    ), due as (
      select id from webhook_requests where id in (select id from selected)
        and state = 'waiting' and next_attempt_at <= now()
      for update skip locked
    )
    update webhook_requests set delivery_attempts = delivery_attempts + 1,
      next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    from due, webhooks
    where webhook_requests.id = due.id and webhooks.id = webhook_requests.webhook_id
    returning webhook_requests.id, webhook_requests.webhook_id, webhook_requests.url, webhooks.format,
      webhook_requests.delivery_attempts, webhook_requests.request_payload, webhooks.secret_encrypted,
      case when webhooks.previous_secret_until > now() then webhooks.previous_secret_encrypted end
        as previous_secret_encrypted,
      webhooks.failing_since is not null as is_failing`.execute(db)
  return rows
}

/** Makes requests due immediately, and does not count the attempts that were canceled because the service stopped. */
export async function releaseDeliveries(db: Executor, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('webhook_requests')
    .set({ next_attempt_at: sql<string>`now()`, delivery_attempts: sql`delivery_attempts - 1` })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('state', '=', 'waiting')
    .execute()
}

const attemptColumns = ({ durationMs, requestHeaders, code, headers, payload, error }: Attempt) => ({
  duration_ms: durationMs,
  request_headers: JSON.stringify(requestHeaders),
  response_code: code,
  response_headers: headers === null ? null : JSON.stringify(headers),
  response_payload: payload,
  error,
})

/** Marks a request as delivered and clears the error state of its webhook. */
export async function recordDelivery(
  db: Executor,
  { id, webhook_id }: Delivery,
  attempt: Attempt,
): Promise<void> {
  await db
    // The webhook is locked before the request, in the same order as when a webhook is deleted.
    .with('webhook', (with_) =>
      with_.selectFrom('webhooks').select('id').where('id', '=', webhook_id).forNoKeyUpdate(),
    )
    .with('request', (with_) =>
      with_
        .updateTable('webhook_requests')
        .set({ state: 'delivered', next_attempt_at: null, ...attemptColumns(attempt) })
        .where('id', '=', id)
        .where('webhook_id', 'in', (eb) => eb.selectFrom('webhook').select('webhook.id'))
        .returning('webhook_id'),
    )
    .updateTable('webhooks')
    .from('request')
    .set({ last_successful_request_at: sql<string>`now()`, in_error_state: false, failing_since: null })
    .whereRef('webhooks.id', '=', 'request.webhook_id')
    .execute()
}

type Failure = {
  /** The time until the next attempt; undefined if this was the last attempt. */
  retryAfterSeconds: number | undefined
  /** Whether the receiver responded with 410 Gone, so that no more requests are sent to it. */
  isGone: boolean
}

/**
 * Records a failed attempt and the time of the next one. After the last attempt, sets the error state of the webhook.
 * Deactivates the webhook if its receiver is gone or if all attempts have failed for more than five days. Returns
 * whether it deactivated the webhook.
 */
export async function recordFailedAttempt(
  tx: Tx,
  { id, webhook_id }: Delivery,
  attempt: Attempt,
  { retryAfterSeconds, isGone }: Failure,
): Promise<{ isDeactivated: boolean }> {
  const isFinal = retryAfterSeconds === undefined || isGone
  const before = await tx
    .selectFrom('webhooks')
    .select([
      'is_active',
      sql<boolean>`coalesce(failing_since < now() - make_interval(days => ${maxFailingDays}), false)`.as(
        'has_failed_for_days',
      ),
    ])
    .where('id', '=', webhook_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (before === undefined) return { isDeactivated: false }
  await tx
    .updateTable('webhook_requests')
    .set({
      ...attemptColumns(attempt),
      ...(isFinal
        ? { state: 'failed' as const, next_attempt_at: null }
        : { next_attempt_at: sql<string>`now() + make_interval(secs => ${retryAfterSeconds}::float8)` }),
    })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  const isDeactivated = before.is_active && (isGone || before.has_failed_for_days)
  await tx
    .updateTable('webhooks')
    .set({
      last_failed_request_at: sql<string>`now()`,
      failing_since: sql<string>`coalesce(failing_since, now())`,
      ...(isFinal ? { in_error_state: true } : {}),
      ...(isDeactivated ? { is_active: false } : {}),
    })
    .where('id', '=', webhook_id)
    .execute()
  return { isDeactivated }
}

/** Cancels all requests of a webhook that are waiting for an attempt. */
export async function cancelWaitingRequests(tx: Tx, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_requests')
    .set({ state: 'failed', next_attempt_at: null, error: 'The webhook was deactivated.' })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
}
