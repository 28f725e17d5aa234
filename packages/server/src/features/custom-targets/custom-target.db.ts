import { sql } from 'kysely'
import { isoTimestamp } from '../../database/iso-timestamp.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { requireWorkspace } from '../workspace/workspace.db.ts'
import type { CustomTargetRow } from './custom-target.ts'

type Owner = { applicationId: string; workspaceId: string }

/** Targets an application may use: its own, and the workspace's whose platform is attached to it. */
function usableTargets(db: Executor, { applicationId, workspaceId }: Owner) {
  return db
    .selectFrom('custom_targets')
    .where((eb) =>
      eb.or([
        eb('owner_id', '=', applicationId),
        eb.and([
          eb('owner_id', '=', workspaceId),
          eb(
            'platform',
            'in',
            eb
              .selectFrom('application_platforms')
              .select('platform')
              .where('application_id', '=', applicationId),
          ),
        ]),
      ]),
    )
}

/** Usable targets behind a filter's ids or names. */
export const selectCustomTargetsNamed = (db: Executor, owner: Owner, idsOrNames: string[]) =>
  usableTargets(db, owner)
    .select(['id', 'name'])
    .where(sql<boolean>`(id::text = any(${idsOrNames}) or name = any(${idsOrNames}))`)

/** The usable target of this id or name; the application's own one comes first. */
export async function findCustomTarget(db: Executor, owner: Owner, idOrName: string) {
  const rows = await usableTargets(db, owner)
    .select(['id', 'owner_id', 'platform'])
    .where(sql<boolean>`(id::text = ${idOrName} or name = ${idOrName})`)
    .execute()
  return rows.find(({ owner_id }) => owner_id === owner.applicationId) ?? rows[0]
}

/** The target that a build of this platform means by an id or name; else what is wrong with the field. */
export async function findFittingTarget(
  db: Executor,
  owner: Owner,
  wish: { idOrName: string; platform: string },
): Promise<{ id: string } | { wrong: string }> {
  const { custom_targets_enabled: isEnabled } = await requireWorkspace(db, owner.workspaceId)
  if (!isEnabled) return { wrong: 'cannot be given: custom targets are off in this workspace.' }
  const target = await findCustomTarget(db, owner, wish.idOrName)
  if (target === undefined) return { wrong: `"${wish.idOrName}" is not a custom target here.` }
  if (target.platform !== wish.platform) return { wrong: `is for ${target.platform}.` }
  return { id: target.id }
}

/** JSON of a build's target, for a sub-select. */
export const selectCustomTargetJson = sql<CustomTargetRow>`json_build_object(
  'id', custom_targets.id, 'name', custom_targets.name, 'description', custom_targets.description,
  'level', case when custom_targets.application_id is null then 'workspace' else 'application' end,
  'platform', custom_targets.platform, 'icon_object_key', custom_targets.icon_object_key,
  'created_at', ${isoTimestamp(sql.ref('custom_targets.created_at'))},
  'updated_at', ${isoTimestamp(sql.ref('custom_targets.updated_at'))})`

const level = sql<
  CustomTargetRow['level']
>`case when application_id is null then 'workspace' else 'application' end`

const columns = [
  'id',
  'name',
  'description',
  'platform',
  'icon_object_key',
  'created_at',
  'updated_at',
] as const

/** Where a target lives: at one application, or at the workspace for all of them. */
export type TargetHome = { workspaceId: string; applicationId: string | null }

export async function listCustomTargets(db: Executor, owner: Owner): Promise<CustomTargetRow[]> {
  return usableTargets(db, owner)
    .select([...columns, level.as('level')])
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

/** The usable target of this id or name; the application's own one comes first. */
export async function requireCustomTarget(
  db: Executor,
  owner: Owner,
  idOrName: string,
): Promise<CustomTargetRow> {
  const rows = await usableTargets(db, owner)
    .select([...columns, level.as('level')])
    .where(sql<boolean>`(id::text = ${idOrName} or name = ${idOrName})`)
    .execute()
  const row =
    rows.find(({ id }) => id === idOrName) ?? rows.find((found) => found.level === 'application') ?? rows[0]
  if (row === undefined) throw notFound()
  return row
}

export async function listWorkspaceCustomTargets(
  db: Executor,
  workspaceId: string,
): Promise<CustomTargetRow[]> {
  return db
    .selectFrom('custom_targets')
    .where('owner_id', '=', workspaceId)
    .select([...columns, level.as('level')])
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

export async function requireWorkspaceCustomTarget(
  db: Executor,
  workspaceId: string,
  idOrName: string,
): Promise<CustomTargetRow> {
  const rows = await db
    .selectFrom('custom_targets')
    .where('owner_id', '=', workspaceId)
    .where(sql<boolean>`(id::text = ${idOrName} or name = ${idOrName})`)
    .select([...columns, level.as('level')])
    .execute()
  const row = rows.find(({ id }) => id === idOrName) ?? rows[0]
  if (row === undefined) throw notFound()
  return row
}

export async function requireLockedCustomTarget(
  tx: Tx,
  { workspaceId, applicationId }: TargetHome,
  id: string,
): Promise<CustomTargetRow> {
  const row = await tx
    .selectFrom('custom_targets')
    .select([...columns, level.as('level')])
    .where('id', '=', id)
    .where('owner_id', '=', applicationId ?? workspaceId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

type TargetFields = { name: string; description: string | null }

export async function insertCustomTarget(
  tx: Tx,
  home: TargetHome,
  fields: TargetFields & { platform: string },
): Promise<CustomTargetRow> {
  return tx
    .insertInto('custom_targets')
    .values({ id: uuidV7(), workspace_id: home.workspaceId, application_id: home.applicationId, ...fields })
    .returning([...columns, level.as('level')])
    .executeTakeFirstOrThrow()
}

/** `application_id: null` lifts the target to the workspace; builds go on referring to it. */
export async function updateCustomTargetRow(
  tx: Tx,
  id: string,
  changes: Partial<TargetFields> | { application_id: null } | { icon_object_key: string | null },
): Promise<CustomTargetRow> {
  return tx
    .updateTable('custom_targets')
    .set(changes)
    .where('id', '=', id)
    .returning([...columns, level.as('level')])
    .executeTakeFirstOrThrow()
}

export async function deleteCustomTargetRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('custom_targets').where('id', '=', id).execute()
}
