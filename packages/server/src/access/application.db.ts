import { sql } from 'kysely'
import type { Db, Executor, Tx } from '../database/transaction.ts'
import type { Actor } from '../http/actor.ts'
import { notFound } from '../lib/problem.ts'

/** The IDs of an application and its workspace. */
export type ApplicationRef = { applicationId: string; workspaceId: string }

export const applicationColumns = [
  'id',
  'workspace_id',
  'name',
  'description',
  'icon_object_key',
  'custom_store_enabled',
  'created_at',
  'updated_at',
] as const

/** Returns the application; throws the same 404 whether it does not exist or the caller has no access to it. */
export async function requireApplication(db: Executor, actor: Actor, id: string) {
  if (actor.applicationId !== null && actor.applicationId !== id) throw notFound()
  const row = await db
    .selectFrom('applications')
    .select(applicationColumns)
    .where('id', '=', id)
    .where('workspace_id', '=', actor.workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

export type ApplicationRow = Awaited<ReturnType<typeof requireApplication>>

export const applicationRef = ({ id, workspace_id }: ApplicationRow): ApplicationRef => ({
  applicationId: id,
  workspaceId: workspace_id,
})

/** Loads the application for endpoints below `/applications/:application_id`. */
export async function requireApplicationOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string }
}) {
  return { application: await requireApplication(call.db, call.actor, call.params.application_id) }
}

/**
 * Locks the application until the end of the transaction, to enforce limits per application (webhooks, trusted
 * publishers). Uploads are not blocked; use `requireLockedApplication` to block them.
 */
export async function requireApplicationLock(tx: Tx, id: string): Promise<void> {
  const row = await tx
    .selectFrom('applications')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
}

/** Locks applications, including those in the trash, in an order that avoids deadlocks. */
export async function lockApplications(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .selectFrom('applications')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Locks and returns the application; blocks new builds and uploads until the transaction ends. Throws 404. */
export async function requireLockedApplication(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('applications')
    .select(applicationColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** Lists the applications that have been in the trash for more than `trashDays` days, oldest deletion first. */
export async function listOverdueApplications(db: Executor, trashDays: number): Promise<{ id: string }[]> {
  return db
    .selectFrom('applications')
    .select('id')
    .where(sql<boolean>`deleted_at <= now() - make_interval(days => ${trashDays}::int)`)
    .orderBy('deleted_at')
    .orderBy('id')
    .execute()
}
