import { sql } from 'kysely'
import { applicationColumns, selectIsReachable } from '../../access/application.db.ts'
import { containsPattern, nameOrder } from '../../database/expressions.ts'
import { keepUpdatedAt } from '../../database/keep-updated-at.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import { selectDeletedBy } from '../../events/event.db.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'

export type ApplicationFilter = {
  search: string | undefined
  platform: string | undefined
  isTrashed: boolean
  sortBy: 'name' | 'created_at' | 'updated_at'
  direction: 'asc' | 'desc'
}

export async function listApplicationsPage(
  db: Executor,
  actor: Actor,
  filter: ApplicationFilter,
  page: Page,
) {
  let matching = db
    .selectFrom('applications')
    .where('workspace_id', '=', actor.workspaceId)
    .where('deleted_at', filter.isTrashed ? 'is not' : 'is', null)
    .where(selectIsReachable(actor, 'applications.id'))
  if (filter.search !== undefined) {
    const pattern = containsPattern(filter.search)
    matching = matching.where((eb) =>
      eb.or([eb('name', 'ilike', pattern), eb('description', 'ilike', pattern), eb('id', 'ilike', pattern)]),
    )
  }
  const { platform } = filter
  if (platform !== undefined) {
    matching = matching.where((eb) =>
      eb.exists(
        eb
          .selectFrom('application_platforms')
          .select(sql.lit(1).as('one'))
          .whereRef('application_platforms.application_id', '=', 'applications.id')
          .where('application_platforms.platform', '=', platform),
      ),
    )
  }
  return listWithTotal(
    matching
      .select([...applicationColumns, 'deleted_at', selectDeletedBy('application').as('deleted_by')])
      .orderBy(filter.sortBy === 'name' ? nameOrder('name') : filter.sortBy, filter.direction)
      .orderBy('id', filter.direction)
      .limit(page.limit)
      .offset(page.offset),
    matching,
  )
}

export async function insertApplication(
  tx: Tx,
  {
    workspaceId,
    name,
    description,
    isSample = false,
  }: { workspaceId: string; name: string; description: string | null; isSample?: boolean },
) {
  return tx
    .insertInto('applications')
    .values({ id: shortId(12), workspace_id: workspaceId, name, description, is_sample: isSample })
    .returning(applicationColumns)
    .executeTakeFirstOrThrow()
}

export async function saveApplication(
  tx: Tx,
  id: string,
  changes: {
    name?: string
    description?: string | null
    custom_store_enabled?: boolean
    icon_object_key?: string | null
  },
) {
  return tx
    .updateTable('applications')
    .set(changes)
    .where('id', '=', id)
    .returning(applicationColumns)
    .executeTakeFirstOrThrow()
}

/** Returns the application if it has no icon and is not in the trash. */
export async function findApplicationWithoutIcon(
  db: Executor,
  id: string,
  { isLocking = false }: { isLocking?: boolean } = {},
) {
  return db
    .selectFrom('applications')
    .select(applicationColumns)
    .where('id', '=', id)
    .where('icon_object_key', 'is', null)
    .where('deleted_at', 'is', null)
    .$if(isLocking, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
}

/** Returns the application even if it is in the trash; throws 404 if it does not exist. */
export async function requireApplicationIncludingTrashed(db: Executor, actor: Actor, id: string) {
  return db
    .selectFrom('applications')
    .select([...applicationColumns, 'deleted_at'])
    .where('id', '=', id)
    .where('workspace_id', '=', actor.workspaceId)
    .executeTakeFirstOrThrow(notFound)
}

/** Moves the application to the trash; returns false if it is already in the trash. */
export async function moveApplicationToTrash(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('applications')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Moves a sample application to the trash with its restore period already ended, so that the next purge deletes it. */
export async function expireSampleApplication(tx: Tx, id: string, trashDays: number): Promise<void> {
  await tx
    .updateTable('applications')
    .set({ deleted_at: sql<string>`now() - make_interval(days => ${trashDays}::int)` })
    .where('id', '=', id)
    .execute()
}

/** Restores the application; returns false if it is not in the trash or its restore period has ended. */
export async function restoreTrashedApplication(tx: Tx, id: string, trashDays: number): Promise<boolean> {
  // Locks the row before the clock is read. Otherwise, an application could be restored even though its restore period
  // ended while the update was waiting for the lock.
  await tx.selectFrom('applications').select('id').where('id', '=', id).forUpdate().execute()
  const result = await tx
    .updateTable('applications')
    .set({ deleted_at: null })
    .where('id', '=', id)
    .where(sql<boolean>`deleted_at > clock_timestamp() - make_interval(days => ${trashDays}::int)`)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Ends the restore period of applications that an import has hidden, which are in the trash until a future time. Returns
 * their number.
 */
export async function expireImportedApplications(
  tx: Tx,
  ids: readonly string[],
  trashDays: number,
): Promise<number> {
  const result = await tx
    .updateTable('applications')
    .set({ deleted_at: sql<string>`now() - make_interval(days => ${trashDays}::int)` })
    .where(sql<boolean>`id = any(${ids})`)
    .where('deleted_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Takes imported applications out of the trash, unless they were in the trash when they were exported. */
export async function showImportedApplications(
  tx: Tx,
  applications: readonly { id: string; deleted_at: string | null }[],
): Promise<void> {
  await keepUpdatedAt(tx)
  await sql`
    update applications set deleted_at = shown.deleted_at
    from json_to_recordset(${JSON.stringify(applications)}::json) as shown (id text, deleted_at timestamptz)
    where applications.id = shown.id`.execute(tx)
}
