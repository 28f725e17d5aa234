import { sql, type ExpressionBuilder } from 'kysely'
import { requireApplication } from '../../../access/application.db.ts'
import { nameOrder } from '../../../database/expressions.ts'
import type { Database } from '../../../database/tables.ts'
import type { Db, Executor, Tx } from '../../../database/transaction.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import { shortId } from '../../../lib/ids.ts'
import { notFound } from '../../../lib/problem.ts'
import { maxViews, tooManyViews, viewerOf, type ViewQuery, type ViewRow } from './view.ts'

const columns = [
  'views.id',
  'views.application_id',
  'views.user_id',
  'views.name',
  sql<ViewQuery>`views.query`.as('query'),
  'views.created_at',
  'views.updated_at',
] as const

/** Matches team views and the caller's personal ones. Does not check access to the application. */
const isVisibleTo = (actor: Actor) => (eb: ExpressionBuilder<Database, 'views'>) =>
  eb.or([eb('views.user_id', 'is', null), eb('views.user_id', '=', viewerOf(actor))])

/** Selects the views that the caller sees in applications to which the caller has access. Does not check the access. */
export const selectViews = (db: Executor, actor: Actor) =>
  db.selectFrom('views').select(columns).where('views.deleted_at', 'is', null).where(isVisibleTo(actor))

export const listApplicationViews = (db: Executor, actor: Actor, applicationId: string): Promise<ViewRow[]> =>
  selectViews(db, actor)
    .where('views.application_id', '=', applicationId)
    .orderBy(nameOrder('views.name'))
    .orderBy('views.id')
    .execute()

type ViewPath = { db: Db; actor: Actor; params: { application_id: string; view_id: string } }

/** Loads the view that the path identifies; throws 404 if it does not exist or is another person's. */
export async function requireViewOfPath({ db, actor, params }: ViewPath) {
  const application = await requireApplication(db, actor, params.application_id)
  const view = await selectViews(db, actor)
    .where('views.application_id', '=', application.id)
    .where('views.id', '=', params.view_id)
    .executeTakeFirstOrThrow(notFound)
  return { application, view }
}

/** Like `requireViewOfPath`, but also loads a deleted view. */
export async function requireViewIncludingDeleted({ db, actor, params }: ViewPath) {
  const application = await requireApplication(db, actor, params.application_id)
  const view = await db
    .selectFrom('views')
    .select(columns)
    .where('application_id', '=', application.id)
    .where('id', '=', params.view_id)
    .where(isVisibleTo(actor))
    .executeTakeFirstOrThrow(notFound)
  return { application, view }
}

/**
 * Locks the view until the end of the transaction and returns it. Throws 404 if it has been deleted, or has another owner
 * than when the caller was found to be allowed to change it.
 */
export const requireLockedView = (tx: Tx, id: string, userId: string | null): Promise<ViewRow> =>
  tx
    .selectFrom('views')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`user_id is not distinct from ${userId}`)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)

/** Throws 409 if the team or the person has as many views in the application as allowed. */
export async function requireRoomForView(
  tx: Tx,
  applicationId: string,
  userId: string | null,
): Promise<void> {
  const { count } = await tx
    .selectFrom('views')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`user_id is not distinct from ${userId}`)
    .executeTakeFirstOrThrow()
  if (count >= maxViews) throw tooManyViews({ count: maxViews })
}

type ViewFields = { name: string; user_id: string | null; query: ViewQuery }
type Owner = { id: string; workspace_id: string }

export const insertView = (
  tx: Tx,
  { id: application_id, workspace_id }: Owner,
  { query, ...fields }: ViewFields,
): Promise<ViewRow> =>
  tx
    .insertInto('views')
    .values({ id: shortId(10), workspace_id, application_id, ...fields, query: JSON.stringify(query) })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const saveView = (tx: Tx, id: string, { query, ...changes }: Partial<ViewFields>): Promise<ViewRow> =>
  tx
    .updateTable('views')
    .set({ ...changes, ...(query === undefined ? {} : { query: JSON.stringify(query) }) })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export async function markViewDeleted(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('views')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Restores a deleted view; returns undefined if it is not deleted. */
export const unmarkDeletedView = (tx: Tx, id: string): Promise<ViewRow | undefined> =>
  tx
    .updateTable('views')
    .set({ deleted_at: null })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning(columns)
    .executeTakeFirst()

export async function deleteSomeOldViews(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('views')
    .select('id')
    .where(sql<boolean>`deleted_at < now() - make_interval(days => ${days}::int)`)
    .limit(limit)
  const result = await db.deleteFrom('views').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
