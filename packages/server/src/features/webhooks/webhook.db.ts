import { sql, type Insertable, type Updateable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import { notFound } from '../../lib/problem.ts'

// without the bytes of the secrets: what is not read cannot be shown
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
      'webhooks.created_at',
      'webhooks.updated_at',
      'streams.name as stream_name',
      'labels.name as label_name',
      'labels.color as label_color',
      sql<boolean>`webhooks.secret_encrypted is not null`.as('secret_configured'),
    ])
}

const selectWebhooks = (db: Executor, applicationId: string) =>
  selectAnyWebhooks(db).where('webhooks.application_id', '=', applicationId)

export type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['executeTakeFirstOrThrow']>>

export async function listWebhooksPage(db: Executor, applicationId: string, page: Page) {
  const [rows, counted] = await Promise.all([
    selectWebhooks(db, applicationId)
      .orderBy('webhooks.created_at')
      .orderBy('webhooks.id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    db
      .selectFrom('webhooks')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('application_id', '=', applicationId)
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: counted.total }
}

export async function requireWebhook(db: Executor, applicationId: string, id: string): Promise<WebhookRow> {
  const row = await selectWebhooks(db, applicationId)
    .where(sql`webhooks.id::text`, '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

export async function findActiveWebhookCount(tx: Tx, applicationId: string): Promise<number> {
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

export async function updateWebhookRow(
  tx: Tx,
  id: string,
  changes: Updateable<Database['webhooks']>,
): Promise<void> {
  await tx.updateTable('webhooks').set(changes).where('id', '=', id).execute()
}

/** Sets another secret; what was signed with the old one stays good for a day, while receivers change over. */
export async function updateWebhookSecret(tx: Tx, id: string, sealed: Buffer | null): Promise<void> {
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

export async function deleteWebhookRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** The one stream or label that a webhook hears of. */
export type Narrowing = { by: 'stream_id' | 'label_id'; id: string }

export async function listLockedWebhooksOf(tx: Tx, { by, id }: Narrowing): Promise<WebhookRow[]> {
  return selectAnyWebhooks(tx)
    .where(`webhooks.${by}`, '=', id)
    .orderBy('webhooks.id')
    .forUpdate('webhooks')
    .execute()
}

export async function deleteWebhooksOf(tx: Tx, { by, id }: Narrowing): Promise<void> {
  await tx.deleteFrom('webhooks').where(by, '=', id).execute()
}
