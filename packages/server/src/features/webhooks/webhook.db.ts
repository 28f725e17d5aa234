import { sql, type Insertable, type Updateable } from 'kysely'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Database } from '../../database/tables.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { notFound } from '../../lib/problem.ts'

// Omits the secrets, so that no response can contain them.
function selectAnyWebhooks(db: Executor) {
  return db
    .selectFrom('webhooks')
    .leftJoin('streams', 'streams.id', 'webhooks.stream_id')
    .leftJoin('labels', 'labels.id', 'webhooks.label_id')
    .select([
      'webhooks.id',
      'webhooks.workspace_id',
      'webhooks.application_id',
      'webhooks.description',
      'webhooks.url',
      'webhooks.event',
      'webhooks.format',
      'webhooks.stream_id',
      'webhooks.label_id',
      'webhooks.is_active',
      'webhooks.in_error_state',
      'webhooks.last_successful_request_at',
      'webhooks.last_failed_request_at',
      'webhooks.failing_since',
      'webhooks.created_at',
      'webhooks.updated_at',
      'streams.name as stream_name',
      'labels.name as label_name',
      'labels.color as label_color',
      sql<boolean>`webhooks.secret_encrypted is not null`.as('secret_configured'),
      sql<boolean>`webhooks.secret_is_weak is true`.as('secret_is_weak'),
    ])
}

const selectWebhooks = (db: Executor, applicationId: string) =>
  selectAnyWebhooks(db).where('webhooks.application_id', '=', applicationId)

export type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['executeTakeFirstOrThrow']>>

export async function listWebhooksPage(db: Executor, applicationId: string, page: Page) {
  return listWithTotal(
    selectWebhooks(db, applicationId)
      .orderBy('webhooks.created_at')
      .orderBy('webhooks.id')
      .limit(page.limit)
      .offset(page.offset),
    db.selectFrom('webhooks').where('application_id', '=', applicationId),
  )
}

export async function requireWebhook(db: Executor, applicationId: string, id: string): Promise<WebhookRow> {
  return selectWebhooks(db, applicationId)
    .where(sql`webhooks.id::text`, '=', id)
    .executeTakeFirstOrThrow(notFound)
}

export async function findWebhook(db: Executor, id: string): Promise<WebhookRow | undefined> {
  return selectAnyWebhooks(db).where('webhooks.id', '=', id).executeTakeFirst()
}

export async function countActiveWebhooks(tx: Tx, applicationId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertWebhook(tx: Tx, row: Insertable<Database['webhooks']>): Promise<void> {
  await tx.insertInto('webhooks').values(row).execute()
}

export async function saveWebhook(
  tx: Tx,
  id: string,
  changes: Updateable<Database['webhooks']>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await tx.updateTable('webhooks').set(changes).where('id', '=', id).execute()
}

/** Replaces the secret. The previous secret remains valid for a day, so that receivers have time to switch. */
export async function rotateWebhookSecret(tx: Tx, id: string, sealed: Buffer | null): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({
      secret_encrypted: sealed,
      previous_secret_encrypted: sealed === null ? null : sql`secret_encrypted`,
      previous_secret_until:
        sealed === null
          ? null
          : sql<string>`case when secret_encrypted is null then null else now() + interval '1 day' end`,
    })
    .where('id', '=', id)
    .execute()
}

/** The stream or label to which webhooks are limited. */
export type Narrowing = { stream_id: string } | { label_id: string }

export async function listLockedWebhooksOf(tx: Tx, narrowing: Narrowing): Promise<WebhookRow[]> {
  const webhooks = selectAnyWebhooks(tx).orderBy('webhooks.id').forUpdate('webhooks')
  return (
    'stream_id' in narrowing
      ? webhooks.where('webhooks.stream_id', '=', narrowing.stream_id)
      : webhooks.where('webhooks.label_id', '=', narrowing.label_id)
  ).execute()
}

export async function removeWebhooks(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .deleteFrom('webhooks')
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}
