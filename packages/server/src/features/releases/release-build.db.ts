import { sql } from 'kysely'
import { nameOrder } from '../../database/expressions.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import { problem, type Problem } from '../../lib/problem.ts'
import type { ReleaseRow } from './release.db.ts'

/**
 * Locks the builds against deletion until the end of the transaction. Throws a 404 that names each build that is in the
 * trash or does not belong to the application.
 */
export async function requireLockedBuilds(tx: Tx, applicationId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) throw missingBuilds(ids, missing)
}

function missingBuilds(ids: string[], missing: string[]): Problem {
  const names = missing.map((id) => `"${id}"`).join(', ')
  const errors = missing.map((id) => [
    `build_ids.${ids.indexOf(id)}`,
    [`"${id}" is not a build of this application.`],
  ])
  return buildsNotFound({ names }, { errors: Object.fromEntries(errors) as Record<string, string[]> })
}

export const buildsNotFound = problem(
  'not_found',
  'release.build_not_found',
  'Not found. These are not builds of this application: {names}. Check the IDs.',
)

export async function insertReleaseBuilds(
  tx: Tx,
  release: Pick<ReleaseRow, 'id' | 'application_id'>,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return
  const rows = ids
    .toSorted()
    .map((id) => ({ release_id: release.id, build_id: id, application_id: release.application_id }))
  await tx
    .insertInto('release_builds')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes all builds except those in `keptIds` from the release, including builds in the trash. */
export async function deleteOtherReleaseBuilds(tx: Tx, releaseId: string, keptIds: string[]): Promise<void> {
  await tx
    .deleteFrom('release_builds')
    .where('release_id', '=', releaseId)
    .where(sql<boolean>`not build_id = any(${keptIds})`)
    .execute()
}

export async function deleteReleaseBuild(tx: Tx, releaseId: string, buildId: string): Promise<void> {
  await tx
    .deleteFrom('release_builds')
    .where('release_id', '=', releaseId)
    .where('build_id', '=', buildId)
    .execute()
}

/** Replaces the labels of the release. */
export async function saveReleaseLabels(
  tx: Tx,
  release: Pick<ReleaseRow, 'id' | 'application_id'> & { workspace_id: string },
  labels: { id: string }[],
): Promise<void> {
  await tx.deleteFrom('release_labels').where('release_id', '=', release.id).execute()
  if (labels.length === 0) return
  const rows = labels.map((label) => ({
    release_id: release.id,
    label_id: label.id,
    application_id: release.application_id,
    workspace_id: release.workspace_id,
  }))
  await tx.insertInto('release_labels').values(rows).execute()
}

/**
 * Lists the streams in which a build of the release is the latest for a platform, by name, with these platforms. Their
 * permalinks lead to the release, whether or not it is published.
 */
export async function listStreamsLedByRelease(db: Executor, releaseId: string) {
  const { rows } = await sql<{ id: string; name: string; platforms: string[] }>`
    -- Materialized, because the latest build would otherwise be looked for once for every build of every application.
    with released as materialized (
      select builds.id, builds.stream_id, builds.platform
      from release_builds join builds on builds.id = release_builds.build_id
      where release_builds.release_id = ${releaseId} and builds.deleted_at is null
    )
    select streams.id, streams.name, array_agg(distinct released.platform order by released.platform) as platforms
    from released join streams on streams.id = released.stream_id and streams.moving_to is null
    where released.id = latest_build_id(released.stream_id, released.platform, null)
    group by streams.id order by ${nameOrder('streams.name')}, streams.id`.execute(db)
  return rows
}
