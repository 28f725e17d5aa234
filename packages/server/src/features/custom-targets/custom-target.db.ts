import { sql } from 'kysely'
import type { ApplicationRef } from '../../access/application.db.ts'
import { requireOwnerOfPath, type OwnerRef } from '../../access/owner.ts'
import { requireWorkspace } from '../../access/workspace.db.ts'
import { asUuid, nameOrder, selectInputs } from '../../database/expressions.ts'
import { computed, jsonObject } from '../../database/json-text.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { iconUrl } from '../icons/icon.ts'
import {
  CustomTarget,
  nameIsId,
  targetPlatform,
  type CustomTargetRow,
  type LoadedCustomTarget,
} from './custom-target.ts'

const level = sql<
  CustomTargetRow['level']
>`case when application_id is null then 'workspace' else 'application' end`

const columns = [
  'id',
  'name',
  'description',
  level.as('level'),
  'platform',
  'icon_object_key',
  'created_at',
  'updated_at',
] as const

/**
 * Selects the custom targets of a workspace or, for an application, its own custom targets and the workspace custom
 * targets for its platforms.
 */
function selectUsableTargets(db: Executor, { applicationId, workspaceId }: OwnerRef) {
  const targets = db.selectFrom('custom_targets')
  if (applicationId === null) return targets.where('owner_id', '=', workspaceId)
  return targets.where((eb) =>
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

export async function listUsableCustomTargets(db: Executor, owner: OwnerRef): Promise<CustomTargetRow[]> {
  return selectUsableTargets(db, owner).select(columns).orderBy(nameOrder('name')).orderBy('id').execute()
}

/** Selects the usable targets that have one of these IDs or names. */
export const selectCustomTargetsNamed = (db: Executor, application: ApplicationRef, idsOrNames: string[]) =>
  selectUsableTargets(db, application)
    .innerJoin(selectInputs(db, idsOrNames).select('input.requested').as('input'), (join) =>
      join.on(sql<boolean>`(custom_targets.id::text = lower(requested) or lower(name) = lower(requested))`),
    )
    .select(['custom_targets.id', 'requested'])

/**
 * Finds the usable target with this ID or, failing that, with this name. If two targets have this name, the
 * application's own target takes precedence.
 */
export async function findCustomTarget(
  db: Executor,
  owner: OwnerRef,
  idOrName: string,
): Promise<CustomTargetRow | undefined> {
  const rows = await selectUsableTargets(db, owner)
    .select(columns)
    .where(sql<boolean>`(id::text = ${idOrName} or lower(name) = lower(${idOrName}::text))`)
    .execute()
  return (
    rows.find(({ id }) => id === idOrName) ?? rows.find((target) => target.level === 'application') ?? rows[0]
  )
}

/**
 * Loads the custom target that the path identifies, at application or workspace level; throws 404 if it does not exist.
 */
export async function requireCustomTargetOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id?: string; target_identifier: string }
}): Promise<LoadedCustomTarget> {
  const { owner } = await requireOwnerOfPath(call)
  const customTarget = await findCustomTarget(call.db, owner, call.params.target_identifier)
  if (customTarget === undefined) throw notFound()
  return { owner, customTarget }
}

/** Returns the target with this ID or name, or the reason why builds for the platform cannot use it. */
export async function findTargetForPlatform(
  db: Executor,
  application: ApplicationRef,
  { idOrName, platform }: { idOrName: string; platform: string },
): Promise<{ id: string } | { reason: string }> {
  const { custom_targets_enabled: isEnabled } = await requireWorkspace(db, application.workspaceId)
  if (!isEnabled) return { reason: 'is not allowed: custom targets are disabled in this workspace.' }
  const target = await findCustomTarget(db, application, idOrName)
  if (target === undefined) return { reason: `"${idOrName}" is not a custom target of this application.` }
  if (target.platform !== platform)
    return { reason: `"${idOrName}" is a custom target for ${target.platform}, not ${platform}.` }
  return { id: target.id }
}

/** The JSON of a custom target, for use in subqueries. */
export const selectCustomTargetJson = jsonObject(CustomTarget, 'custom_targets', {
  level: sql<string>`case when custom_targets.application_id is null then 'workspace' else 'application' end`,
  platform: computed([sql.ref<string>('custom_targets.platform')], ([slug]) => targetPlatform(slug)),
  icon_url: computed([sql.ref<string | null>('custom_targets.icon_object_key')], ([key], { publicUrl }) =>
    iconUrl(publicUrl, key),
  ),
})

/**
 * Locks the target until the end of the transaction and returns it; throws 404 if it has been deleted or promoted since
 * it was loaded.
 */
export async function requireLockedCustomTarget(
  tx: Tx,
  { workspaceId, applicationId }: OwnerRef,
  id: string,
): Promise<CustomTargetRow> {
  return tx
    .selectFrom('custom_targets')
    .select(columns)
    .where('id', '=', id)
    .where('owner_id', '=', applicationId ?? workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

type CustomTargetFields = { name: string; description: string | null }

/**
 * Throws 409 if the name is the ID of a target, because a path or filter with this name would select that target
 * instead.
 */
export async function requireNameIsNoId(tx: Tx, { workspaceId }: OwnerRef, name: string): Promise<void> {
  const row = await tx
    .selectFrom('custom_targets')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', asUuid(name.toLowerCase()))
    .executeTakeFirst()
  if (row !== undefined) throw nameIsId({ name })
}

export async function insertCustomTarget(
  tx: Tx,
  owner: OwnerRef,
  fields: CustomTargetFields & { platform: string },
): Promise<CustomTargetRow> {
  return tx
    .insertInto('custom_targets')
    .values({ id: uuidV7(), workspace_id: owner.workspaceId, application_id: owner.applicationId, ...fields })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/**
 * Saves the changes. Setting `application_id` to null promotes the target to the workspace; builds keep their reference
 * to it.
 */
export async function saveCustomTarget(
  tx: Tx,
  id: string,
  changes: Partial<CustomTargetFields> | { application_id: null } | { icon_object_key: string | null },
): Promise<CustomTargetRow> {
  return tx
    .updateTable('custom_targets')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function removeCustomTarget(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('custom_targets').where('id', '=', id).execute()
}
