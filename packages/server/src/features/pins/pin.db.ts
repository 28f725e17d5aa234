import { selectIsReachable } from '../../access/application.db.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { selectViews } from '../builds/views/view.db.ts'

/** Selects the applications of the workspace that the person can access, except those in the trash. */
const selectReachable = (db: Executor, actor: Actor) =>
  db
    .selectFrom('applications')
    .where('applications.workspace_id', '=', actor.workspaceId)
    .where('applications.deleted_at', 'is', null)
    .where(selectIsReachable(actor, 'applications.id'))

/** Lists the applications and views that the person has pinned and can still access, in the person's order. */
export async function listPins(db: Executor, actor: Actor) {
  const applications = await selectReachable(db, actor)
    .innerJoin('pinned_applications as pins', 'pins.application_id', 'applications.id')
    .where('pins.user_id', '=', actor.userId)
    .select('applications.id')
    .orderBy('pins.position')
    .orderBy('applications.id')
    .execute()
  const views = await selectReachableViews(db, actor)
    .innerJoin('pinned_views as pins', 'pins.view_id', 'views.id')
    .where('pins.user_id', '=', actor.userId)
    .orderBy('pins.position')
    .orderBy('views.id')
    .execute()
  return { application_ids: applications.map(({ id }) => id), views }
}

const selectReachableViews = (db: Executor, actor: Actor) =>
  selectViews(db, actor).where(
    'views.application_id',
    'in',
    selectReachable(db, actor).select('applications.id'),
  )

export async function findReachableApplicationIds(db: Executor, actor: Actor, ids: string[]) {
  if (ids.length === 0) return []
  return selectReachable(db, actor).where('applications.id', 'in', ids).select('applications.id').execute()
}

export async function findReachableViewIds(db: Executor, actor: Actor, ids: string[]) {
  if (ids.length === 0) return []
  return selectReachableViews(db, actor).where('views.id', 'in', ids).execute()
}

const positions = (ids: string[]) => ids.map((id, index) => ({ id, position: index + 1 }))

const selectOfWorkspace = (tx: Tx, workspaceId: string) =>
  tx
    .selectFrom('applications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)

/**
 * Pins exactly these applications of the workspace. Applications in the trash stay pinned, because they can be restored. The
 * caller locks the person's pins.
 */
export async function replacePinnedApplications(tx: Tx, { userId, workspaceId }: Actor, ids: string[]) {
  await tx
    .deleteFrom('pinned_applications')
    .where('user_id', '=', userId)
    .where('application_id', 'in', selectOfWorkspace(tx, workspaceId))
    .execute()
  const rows = positions(ids).map(({ id, position }) => ({
    user_id: userId ?? '',
    application_id: id,
    position,
  }))
  if (rows.length > 0)
    await tx
      .insertInto('pinned_applications')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'application_id'])
          .doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })),
      )
      .execute()
}

/**
 * Pins exactly these views of the workspace. Deleted views and those of applications in the trash stay pinned, because they can
 * be restored. The caller locks the person's pins.
 */
export async function replacePinnedViews(tx: Tx, { userId, workspaceId }: Actor, ids: string[]) {
  const replaced = tx
    .selectFrom('views')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where('application_id', 'in', selectOfWorkspace(tx, workspaceId))
  await tx.deleteFrom('pinned_views').where('user_id', '=', userId).where('view_id', 'in', replaced).execute()
  const rows = positions(ids).map(({ id, position }) => ({ user_id: userId ?? '', view_id: id, position }))
  if (rows.length > 0)
    await tx
      .insertInto('pinned_views')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'view_id'])
          .doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })),
      )
      .execute()
}
