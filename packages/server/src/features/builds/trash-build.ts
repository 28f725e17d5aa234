import type { Config } from '../../config.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent, recordEvents, type Initiator } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { holdersOf } from '../../http/kept-by.ts'
import { Problem } from '../../lib/problem.ts'
import { requireLockedBuild } from './build-change.db.ts'
import { markBuildsTrashed, requireBuildIncludingTrashed, restoreTrashedBuild } from './build-trash.db.ts'
import { listKeepersOfBuilds } from './build.db.ts'
import { buildAuditSnapshot, listFullBuilds, requireFullBuild, type FullBuild } from './build.ts'

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
  { force }: { force: boolean },
): Promise<void> {
  await requireLockedBuild(tx, applicationId, id)
  // The build is locked, so no other transaction can add it to a release or share it after this check.
  const holders = force ? undefined : holdersOf((await listKeepersOfBuilds(tx, [id])).get(id))
  if (holders !== undefined)
    throw new Problem(
      'conflict',
      'build.held',
      `This build is used by ${holders}. Remove it from there first, or set \`force\` to delete it anyway.`,
    )
  await moveLockedBuildsToTrash(tx, by, applicationId, [id])
}

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
    if (!(await restoreTrashedBuild(tx, applicationId, id, call.config.trashDays))) {
      const { deleted_at } = await requireBuildIncludingTrashed(tx, applicationId, id)
      if (deleted_at !== null)
        throw new Problem(
          'gone',
          'build.expired',
          'This build can no longer be restored because its restore period has ended. Upload it again.',
        )
      throw new Problem(
        'conflict',
        'build.not_in_trash',
        'This build is not in the trash, so there is nothing to restore.',
      )
    }
    const build = await requireFullBuild(tx, applicationId, id, call.config)
    await recordEvent(tx, call, {
      action: 'build.restored',
      applicationId,
      subject: { type: 'build', id },
      after: buildAuditSnapshot(build),
    })
    return build
  })
}
