import { sql } from 'kysely'
import { asUuid } from '../../database/expressions.ts'
import { pageWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'

/** The payload sent to the receiver. Retries and redeliveries have the same `id` as the original request. */
export type Envelope = { id: string; event: string; created: number; data: Record<string, unknown> }

const columns = [
  'id',
  'event_id',
  'event',
  'url',
  'state',
  'duration_ms',
  'request_headers',
  'request_payload',
  'response_code',
  'response_headers',
  'response_payload',
  'error',
  'delivery_attempts',
  'attempts',
  'next_attempt_at',
  'redelivery_of',
  'created_at',
] as const

const selectRequestsOf = (db: Executor, webhookId: string) =>
  db.selectFrom('webhook_requests').select(columns).where('webhook_id', '=', webhookId)

export type WebhookRequestRow = Awaited<ReturnType<typeof requireWebhookRequest>>

export async function requireWebhookRequest(db: Executor, webhookId: string, id: string) {
  return selectRequestsOf(db, webhookId).where('id', '=', asUuid(id)).executeTakeFirstOrThrow(notFound)
}

/** Returns the payload exactly as it is sent. Parsing it and writing it again would change spaces and break signatures. */
export async function requirePayloadText(db: Executor, id: string): Promise<string> {
  const { payload } = await db
    .selectFrom('webhook_requests')
    .select(sql<string>`request_payload::text`.as('payload'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
  return payload
}

export async function findLatestWebhookRequest(db: Executor, webhookId: string) {
  return selectRequestsOf(db, webhookId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export type WebhookRequestFilter = {
  state: 'waiting' | 'delivered' | 'failed' | undefined
  event: string | undefined
}

export async function listWebhookRequestsPage(
  db: Executor,
  webhookId: string,
  { state, event }: WebhookRequestFilter,
  direction: 'asc' | 'desc',
  page: Page,
) {
  const inOrder = (table: string) =>
    sql`${sql.ref(`${table}.created_at`)} ${sql.raw(direction)}, ${sql.ref(`${table}.id`)} ${sql.raw(direction)}`
  // Selects only the IDs, which the index contains, so that the rows of skipped requests are not read.
  const matching = db
    .selectFrom('webhook_requests')
    .where('webhook_id', '=', webhookId)
    // The state is a literal, so that the planner can use the partial indexes.
    .$if(state !== undefined, (query) => query.where('state', '=', sql.lit(state ?? 'failed')))
    .$if(event !== undefined, (query) => query.where('event', '=', event ?? ''))
  const picked = matching
    .select('id')
    .orderBy(inOrder('webhook_requests'))
    .limit(page.limit)
    .offset(page.offset)
  const rows = selectRequestsOf(db, webhookId).where(sql<boolean>`id = any(array(${picked}))`)
  const total = sql<number>`(${matching.select((eb) => eb.fn.countAll().as('count'))})`
  return pageWithTotal(db, { page: rows, total, inOrder: inOrder('page') })
}

/** Inserts a request that is due immediately. `redeliveryOf` is the ID of the request that it redelivers, if any. */
export async function insertWebhookRequest(
  tx: Tx,
  webhook: { id: string; url: string },
  envelope: Envelope,
  redeliveryOf: string | null = null,
): Promise<WebhookRequestRow> {
  return tx
    .insertInto('webhook_requests')
    .values({
      id: uuidV7(),
      webhook_id: webhook.id,
      event_id: envelope.id,
      event: envelope.event,
      url: webhook.url,
      request_payload: JSON.stringify(envelope),
      redelivery_of: redeliveryOf,
      next_attempt_at: sql<string>`now()`,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Selects requests to redeliver by their state and creation time. */
export type RedeliveryFilter = {
  state: 'delivered' | 'failed' | undefined
  createdAfter: string | undefined
  createdBefore: string | undefined
}

/**
 * Redelivers up to `limit` matching requests, except those that are waiting, already redelivered or tests, and
 * redeliveries that did not fail. Returns the number of redeliveries, whether more requests match, and the end of the
 * range, by default the current time. The caller must hold the lock on the application.
 */
export async function insertRedeliveries(
  tx: Tx,
  webhook: { id: string; url: string },
  { state, createdAfter, createdBefore }: RedeliveryFilter,
  limit: number,
): Promise<{ count: number; hasMore: boolean; createdBefore: string }> {
  const end = sql`coalesce(${createdBefore ?? null}::timestamptz, now())`
  const { rows } = await sql<{ inserted: number; matching: number; created_before: string }>`
    with matching as materialized (
      select id, event_id, event, request_payload, created_at from webhook_requests as original
      where webhook_id = ${webhook.id} and state <> 'waiting' and not (request_payload->'data') ? 'test'
        and (${state ?? null}::text is null or state = ${state ?? null})
        and (${createdAfter ?? null}::timestamptz is null or created_at >= ${createdAfter ?? null}::timestamptz)
        and created_at < ${end}
        and (state = 'failed' or redelivery_of is null)
        and not exists (select from webhook_requests as later where later.redelivery_of = original.id)
      order by created_at, id limit ${limit + 1}
    ), inserted as (
      insert into webhook_requests (id, webhook_id, event_id, event, url, request_payload, redelivery_of,
        next_attempt_at, created_at)
      select gen_random_uuid(), ${webhook.id}, event_id, event, ${webhook.url}, request_payload, id,
        clock_timestamp(), clock_timestamp()
      from (select * from matching order by created_at, id limit ${limit}) as selected
      order by selected.created_at, selected.id
      returning 1
    )
    select (select count(*) from inserted) as inserted, (select count(*) from matching) as matching,
      ${end} as created_before`.execute(tx)
  const { inserted = 0, matching = 0, created_before = '' } = rows[0] ?? {}
  return { count: inserted, hasMore: matching > limit, createdBefore: created_before }
}

export async function findNewestBuildId(db: Executor, applicationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Returns the ID of the newest published release. Webhooks must not receive other releases. */
export async function findNewestReleaseId(db: Executor, applicationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('releases')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('status', '=', 'published')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Deletes up to `limit` requests to the webhooks of an application; returns the number deleted. */
export async function deleteSomeRequestsOfApplication(
  db: Executor,
  applicationId: string,
  limit: number,
): Promise<number> {
  const some = db
    .selectFrom('webhook_requests')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_requests.webhook_id')
    .select('webhook_requests.id')
    .where('webhooks.application_id', '=', applicationId)
    .limit(limit)
  const result = await db.deleteFrom('webhook_requests').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Deletes up to `limit` requests that are more than `days` days old and not waiting for delivery; returns the number
 * deleted.
 */
export async function deleteSomeOldRequests(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('webhook_requests')
    .select('id')
    .where(sql<boolean>`created_at < now() - make_interval(days => ${days}::int)`)
    .where('state', '<>', 'waiting')
    .limit(limit)
  const result = await db.deleteFrom('webhook_requests').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
