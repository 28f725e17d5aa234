import { sql } from 'kysely'
import { isoTimestamp } from '../../database/iso-timestamp.ts'
import type { Executor } from '../../database/transaction.ts'
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

/** Ids behind a filter's ids or names, and which of them name nothing here. */
export async function findCustomTargetIds(db: Executor, owner: Owner, idsOrNames: string[]) {
  const rows = await usableTargets(db, owner)
    .select(['id', 'name'])
    .where(sql<boolean>`(id::text = any(${idsOrNames}) or name = any(${idsOrNames}))`)
    .execute()
  const unknown = idsOrNames.filter((given) => !rows.some(({ id, name }) => id === given || name === given))
  return { ids: rows.map(({ id }) => id), unknown }
}

/** The usable target of this id or name; the application's own one comes first. */
export async function findCustomTarget(db: Executor, owner: Owner, idOrName: string) {
  const rows = await usableTargets(db, owner)
    .select(['id', 'owner_id', 'platform'])
    .where(sql<boolean>`(id::text = ${idOrName} or name = ${idOrName})`)
    .execute()
  return rows.find(({ owner_id }) => owner_id === owner.applicationId) ?? rows[0]
}

/** JSON of a build's target, for a sub-select. */
export const selectCustomTargetJson = sql<CustomTargetRow>`json_build_object(
  'id', custom_targets.id, 'name', custom_targets.name, 'description', custom_targets.description,
  'level', case when custom_targets.application_id is null then 'workspace' else 'application' end,
  'platform', custom_targets.platform,
  'created_at', ${isoTimestamp(sql.ref('custom_targets.created_at'))},
  'updated_at', ${isoTimestamp(sql.ref('custom_targets.updated_at'))})`
