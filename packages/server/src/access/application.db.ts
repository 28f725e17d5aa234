import { sql, type RawBuilder } from 'kysely'
import { compiler, type Parameter } from '../database/compiled.ts'
import type { Db, Executor, Tx } from '../database/transaction.ts'
import type { Actor } from '../http/endpoint/actor.ts'
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

/** Selects whether the caller can access the application whose ID is in the column. Does not check the workspace. */
export function selectIsReachable(
  { applicationIds }: Pick<Actor, 'applicationIds'>,
  column: string,
): RawBuilder<boolean> {
  if (applicationIds === null) return sql`true`
  const [first, ...others] = applicationIds
  return others.length === 0
    ? sql`${sql.ref(column)} = ${first ?? ''}`
    : sql`${sql.ref(column)} = any(${[...applicationIds]}::text[])`
}

/** Returns whether the caller can access every application of the workspace. */
export const reachesWholeWorkspace = ({ applicationIds }: Pick<Actor, 'applicationIds'>): boolean =>
  applicationIds === null

/** Selects the application if the caller has access to it and it is not in the trash. */
export function selectApplication(
  db: Executor,
  actor: Pick<Actor, 'workspaceId' | 'applicationIds'>,
  id: string,
) {
  return db
    .selectFrom('applications')
    .select(applicationColumns)
    .where('id', '=', id)
    .where('workspace_id', '=', actor.workspaceId)
    .where('deleted_at', 'is', null)
    .where(selectIsReachable(actor, 'applications.id'))
}

type Named = { actor: Actor; applicationId: string }

/** The part of the shape of a statement on which `selectNamedApplication` depends. */
export const reachShape = ({ actor }: Pick<Named, 'actor'>): boolean => actor.applicationIds === null

/** Selects the application as `selectApplication` does, in a statement that is compiled once. */
export function selectNamedApplication<Input extends Named>(input: Input, parameter: Parameter<Input>) {
  const workspaceId = parameter(({ actor }) => actor.workspaceId)
  const reachable = parameter(({ actor }) => [...(actor.applicationIds ?? [])])
  const id = parameter(({ applicationId }) => applicationId)
  return selectApplication(compiler, { workspaceId, applicationIds: null }, id).$if(
    input.actor.applicationIds !== null,
    (query) => query.where(sql<boolean>`applications.id = any(${reachable}::text[])`),
  )
}

/**
 * Returns the application. Throws the same 404 whether the application does not exist or the caller cannot access it.
 */
export async function requireApplication(db: Executor, actor: Actor, id: string) {
  return selectApplication(db, actor, id).executeTakeFirstOrThrow(notFound)
}

export type ApplicationRow = Awaited<ReturnType<typeof requireApplication>>

export const applicationRef = ({ id, workspace_id }: ApplicationRow): ApplicationRef => ({
  applicationId: id,
  workspaceId: workspace_id,
})

/** Loads the application for endpoints under `/applications/:application_id`. */
export async function requireApplicationOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string }
}) {
  return { application: await requireApplication(call.db, call.actor, call.params.application_id) }
}

/**
 * Locks the application until the end of the transaction to enforce per-application limits on webhooks and trusted
 * publishers. Unlike `requireLockedApplication`, does not block uploads. Throws 404 if the application does not exist.
 */
export async function requireApplicationLock(tx: Tx, id: string): Promise<void> {
  await tx
    .selectFrom('applications')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
}

/** Locks the applications, including those in the trash, in a fixed order, which prevents deadlocks. */
export async function lockApplications(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .selectFrom('applications')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Locks and returns the application, which blocks new builds and uploads until the transaction ends. Throws 404 if the
 * application does not exist.
 */
export async function requireLockedApplication(tx: Tx, id: string) {
  return tx
    .selectFrom('applications')
    .select(applicationColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

/**
 * Lists the applications that have been in the trash for at least `trashDays` days, starting with the oldest deletion.
 */
export async function listOverdueApplications(db: Executor, trashDays: number): Promise<{ id: string }[]> {
  return db
    .selectFrom('applications')
    .select('id')
    .where(sql<boolean>`deleted_at <= now() - make_interval(days => ${trashDays}::int)`)
    .orderBy('deleted_at')
    .orderBy('id')
    .execute()
}
