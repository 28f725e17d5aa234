import { sql } from 'kysely'
import { asUuid } from '../../database/as-uuid.ts'
import { pageWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import type { Envelope } from './webhook-request.ts'

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
  'delivery_attempts',
  'created_at',
] as const

const requestsOf = (db: Executor, webhookId: string) =>
  db.selectFrom('webhook_requests').select(columns).where('webhook_id', '=', webhookId)

export type WebhookRequestRow = Awaited<ReturnType<typeof requireWebhookRequest>>

export async function requireWebhookRequest(db: Executor, webhookId: string, id: string) {
  const row = await requestsOf(db, webhookId).where('id', '=', asUuid(id)).executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

export async function findLatestWebhookRequest(db: Executor, webhookId: string) {
  return requestsOf(db, webhookId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function listWebhookRequestsPage(
  db: Executor,
  webhookId: string,
  direction: 'asc' | 'desc',
  page: Page,
) {
  const inOrder = (table: string) =>
    sql`${sql.ref(`${table}.created_at`)} ${sql.raw(direction)}, ${sql.ref(`${table}.id`)} ${sql.raw(direction)}`
  // by the index alone: of the requests that a page skips nothing is read
  const picked = db
    .selectFrom('webhook_requests')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .orderBy(inOrder('webhook_requests'))
    .limit(page.limit)
    .offset(page.offset)
  const rows = requestsOf(db, webhookId).where(sql<boolean>`id = any(array(${picked}))`)
  const total = sql<number>`(select count(*) from webhook_requests where webhook_id = ${webhookId})`
  return pageWithTotal(db, { page: rows, total, inOrder: inOrder('page') })
}

/** A request that is to be sent at once. */
export async function insertWebhookRequest(
  tx: Tx,
  webhook: { id: string; url: string },
  envelope: Envelope,
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
      next_attempt_at: sql<string>`now()`,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The newest build or release of an application, as an example of what an event tells of. */
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

export async function findNewestReleaseId(db: Executor, applicationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('releases')
    .select('id')
    .where('application_id', '=', applicationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Requests to the webhooks of an application that goes; answers how many went. */
export async function deleteSomeRequestsOfApplication(
  db: Executor,
  applicationId: string,
  most: number,
): Promise<number> {
  const some = db
    .selectFrom('webhook_requests')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_requests.webhook_id')
    .select('webhook_requests.id')
    .where('webhooks.application_id', '=', applicationId)
    .limit(most)
  const result = await db.deleteFrom('webhook_requests').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Requests older than that which are not waiting to be sent; answers how many went. */
export async function deleteSomeOldRequests(db: Executor, days: number, most: number): Promise<number> {
  const some = db
    .selectFrom('webhook_requests')
    .select('id')
    .where(sql<boolean>`created_at < now() - make_interval(days => ${days}::int)`)
    .where('state', '<>', 'waiting')
    .limit(most)
  const result = await db.deleteFrom('webhook_requests').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
