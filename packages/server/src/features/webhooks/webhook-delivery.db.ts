import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import type { PostOutcome } from '../../net/post.ts'

/** A request that this node sends, with the settings of its webhook. */
export type Delivery = {
  id: string
  webhook_id: string
  url: string
  format: string
  application_name: string
  /** The number of attempts, including this one. */
  delivery_attempts: number
  event_id: string
  event: string
  /** The envelope as JSON. */
  payload: string
  secret_encrypted: Uint8Array | null
  /** Null once the previous secret is no longer used. */
  previous_secret_encrypted: Uint8Array | null
  /** Whether the most recent attempt of the webhook failed. */
  is_failing: boolean
}

/** The outcome of an attempt. `code`, `headers` and `payload` are null if no response was received. */
export type Attempt = PostOutcome & { startedAt: Date; requestHeaders: Record<string, string> }

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
      clock_timestamp(), clock_timestamp()
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
  /** The maximum number of requests to claim for webhooks whose last attempt failed. */
  maxFailing: number
  /** The formats for which each webhook sends one request at a time. */
  serialFormats: readonly string[]
}

/**
 * Claims up to `limit` due requests for an attempt and returns them. Prefers the requests that have been due the
 * longest. Reads only as many requests of each webhook as it may claim, because thousands can be due. No other node
 * claims these requests until the attempt is recorded or the lease of 30 s expires.
 */
export async function claimDeliveries(
  db: Executor,
  { limit, inProgress, maxPerWebhook, maxPerFailingWebhook, maxFailing, serialFormats }: Claim,
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    with recursive pending as (
      (select webhook_id from webhook_requests where state = 'waiting' order by webhook_id limit 1)
      union all
      select (select webhook_id from webhook_requests where state = 'waiting' and webhook_id > pending.webhook_id
        order by webhook_id limit 1)
      from pending where webhook_id is not null
    ), available as (
      select webhooks.id, failing_since is not null as is_failing,
        case when format = any(${serialFormats}::text[]) then 1
          when failing_since is null then ${maxPerWebhook}::int else ${maxPerFailingWebhook}::int end
          - coalesce((${JSON.stringify(inProgress)}::jsonb->>(webhooks.id::text))::int, 0) as free
      from pending join webhooks on webhooks.id = pending.webhook_id
      where paused_until is null or paused_until <= now()
    ), allowed as (
      select candidates.id, next_attempt_at, is_failing,
        row_number() over (partition by is_failing order by next_attempt_at, candidates.id) as position
      from available cross join lateral (
        select id, next_attempt_at from webhook_requests
        where webhook_id = available.id and state = 'waiting' and next_attempt_at <= now()
        order by next_attempt_at limit greatest(free, 0)
      ) as candidates
    ), selected as (
      select id from allowed where not is_failing or position <= ${maxFailing}
      order by next_attempt_at limit ${limit}
    ), due as (
      select id from webhook_requests where id in (select id from selected)
        and state = 'waiting' and next_attempt_at <= now()
      for update skip locked
    )
    update webhook_requests set delivery_attempts = delivery_attempts + 1,
      next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    from due, webhooks, applications
    where webhook_requests.id = due.id and webhooks.id = webhook_requests.webhook_id
      and applications.id = webhooks.application_id
    returning webhook_requests.id, webhook_requests.webhook_id, webhook_requests.url, webhooks.format,
      applications.name as application_name,
      webhook_requests.delivery_attempts, webhook_requests.event_id, webhook_requests.event,
      webhook_requests.request_payload::text as payload, webhooks.secret_encrypted,
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

/** A delivery with the outcome of its attempt. */
export type Outcome = { delivery: Delivery; attempt: Attempt }

/** Marks requests as delivered and clears the error state of their webhooks. */
export async function recordDeliveries(db: Executor, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ delivery: { id, webhook_id }, attempt }) => ({
    id,
    webhook_id,
    ...attemptColumns(attempt),
    attempt: attemptEntry(attempt),
  }))
  // The webhooks are locked before the requests, in the same order as when a webhook is deleted.
  await sql`
    with outcomes as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as outcome (id uuid, webhook_id uuid,
        duration_ms double precision, request_headers jsonb, response_code int, response_headers jsonb,
        response_payload text, error text, attempt jsonb)
    ), locked as materialized (
      select id from webhooks where id in (select webhook_id from outcomes) order by id for no key update
    ), delivered as (
      update webhook_requests set state = 'delivered', next_attempt_at = null, duration_ms = outcomes.duration_ms,
        request_headers = outcomes.request_headers, response_code = outcomes.response_code,
        response_headers = outcomes.response_headers, response_payload = outcomes.response_payload,
        error = outcomes.error, attempts = webhook_requests.attempts || outcomes.attempt
      from outcomes join locked on locked.id = outcomes.webhook_id
      where webhook_requests.id = outcomes.id
      returning outcomes.webhook_id
    )
    update webhooks set last_successful_request_at = now(), in_error_state = false, failing_since = null
    where id in (select webhook_id from delivered)`.execute(db)
}

const attemptColumns = ({ durationMs, requestHeaders, code, headers, payload, error }: Attempt) => ({
  duration_ms: durationMs,
  request_headers: requestHeaders,
  response_code: code,
  response_headers: headers,
  response_payload: payload,
  error,
})

/** Returns what the list of attempts keeps of an attempt. */
const attemptEntry = ({ startedAt, durationMs, code, error }: Attempt) => ({
  started_at: isoMicroseconds(startedAt),
  response_code: code,
  duration: durationMs,
  error,
})

type Failure = {
  /** The time until the next attempt; undefined if this was the last attempt. */
  retryAfterSeconds: number | undefined
  /** The pause that the receiver requested because it got too many requests; 0 if it requested none. */
  pauseSeconds: number
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
  { retryAfterSeconds, pauseSeconds, isGone }: Failure,
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
      attempts: sql`attempts || ${JSON.stringify(attemptEntry(attempt))}::jsonb`,
      request_headers: JSON.stringify(attempt.requestHeaders),
      response_headers: attempt.headers === null ? null : JSON.stringify(attempt.headers),
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
      ...(pauseSeconds > 0
        ? { paused_until: sql<string>`now() + make_interval(secs => ${pauseSeconds}::float8)` }
        : {}),
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
