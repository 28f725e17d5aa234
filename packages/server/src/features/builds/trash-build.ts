import type { Config } from '../../config/config.ts'
import { inTransaction, type Executor, type Tx } from '../../database/transaction.ts'
import { recordEvents, type Initiator } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { holdersOf } from '../../http/endpoint/kept-by.ts'
import { notFound, problem, type Problem } from '../../lib/problem.ts'
import { lockBuilds } from './build-change.db.ts'
import { markBuildsTrashed, restoreTrashedBuilds } from './build-trash.db.ts'
import {
  findBuildIncludingTrashed,
  listKeepersOfBuilds,
  listFullBuilds,
  requireFullBuild,
} from './build.db.ts'
import { buildAuditSnapshot, type FullBuild } from './build.ts'

type Author = Initiator & { config: Config }

/**
 * Moves a build to the trash. Unless `force` is set, throws `build.held` if a release or a usable share link refers to
 * it. Releases and share links keep their references to the build in case it is restored.
 */
export async function moveBuildToTrash(
  tx: Tx,
  by: Author,
  applicationId: string,
  id: string,
  options: { force: boolean },
): Promise<void> {
  const problem = (await moveBuildsToTrash(tx, by, applicationId, [id], options)).get(id)
  if (problem !== undefined) throw problem
}

/** Moves builds to the trash like `moveBuildToTrash`. Returns the problems of those that are not moved. */
export async function moveBuildsToTrash(
  tx: Tx,
  by: Author,
  applicationId: string,
  ids: string[],
  { force }: { force: boolean },
): Promise<ReadonlyMap<string, Problem>> {
  const found = await lockBuilds(tx, applicationId, ids)
  const problems = new Map(ids.filter((id) => !found.includes(id)).map((id) => [id, notFound()]))
  // The builds are locked, so no other transaction can add them to a release or share them after this check.
  const keepers = force ? undefined : await listKeepersOfBuilds(tx, found)
  for (const id of found) {
    const holders = holdersOf(keepers?.get(id))
    if (holders !== undefined) problems.set(id, held({ holders }))
  }
  const free = found.filter((id) => !problems.has(id))
  if (free.length > 0) await moveLockedBuildsToTrash(tx, by, applicationId, free)
  return problems
}

export const held = problem(
  'conflict',
  'build.held',
  'This build is used by {holders}. Remove it from there first, or set `force` to delete it anyway.',
)

/** Moves up to a few hundred builds to the trash. The caller must hold locks on them, and none may be in the trash. */
export async function moveLockedBuildsToTrash(
  tx: Tx,
  by: Author,
  applicationId: string,
  ids: string[],
): Promise<void> {
  const builds = await listFullBuilds(tx, ids, by.config)
  await markBuildsTrashed(tx, ids)
  await recordEvents(
    tx,
    by,
    builds.map((build) => ({
      action: 'build.deleted',
      applicationId,
      subject: { type: 'build', id: build.id },
      before: buildAuditSnapshot(build),
      events: [{ name: 'build.deleted', data: { build } }],
    })),
  )
}

/** Restores a build; throws `build.not_in_trash`, or `build.expired` if its restore period has ended. */
export async function restoreFromTrash(call: Call, applicationId: string, id: string): Promise<FullBuild> {
  return inTransaction(call.db, async (tx) => {
    const problem = (await restoreBuildsFromTrash(tx, call, applicationId, [id])).get(id)
    if (problem !== undefined) throw problem
    return requireFullBuild(tx, applicationId, id, call.config)
  })
}

/** Restores builds like `restoreFromTrash`. Returns the problems of those that are not restored. */
export async function restoreBuildsFromTrash(
  tx: Tx,
  by: Author,
  applicationId: string,
  ids: string[],
): Promise<ReadonlyMap<string, Problem>> {
  const restored = await restoreTrashedBuilds(tx, applicationId, ids, by.config.trashDays)
  const builds = await listFullBuilds(tx, restored, by.config)
  await recordEvents(
    tx,
    by,
    builds.map((build) => ({
      action: 'build.restored',
      applicationId,
      subject: { type: 'build', id: build.id },
      after: buildAuditSnapshot(build),
    })),
  )
  const problems = new Map<string, Problem>()
  for (const id of ids)
    if (!restored.includes(id)) problems.set(id, await problemOfRestoring(tx, applicationId, id))
  return problems
}

async function problemOfRestoring(db: Executor, applicationId: string, id: string): Promise<Problem> {
  const build = await findBuildIncludingTrashed(db, id)
  if (build?.application_id !== applicationId) return notFound()
  return build.deleted_at === null ? notInTrash() : restorePeriodOver()
}

export const notInTrash = problem(
  'conflict',
  'build.not_in_trash',
  'This build is not in the trash, so there is nothing to restore.',
)

export const restorePeriodOver = problem(
  'gone',
  'build.expired',
  'This build can no longer be restored because its restore period has ended. Upload it again.',
)
