import type { Config } from '../../config.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent, recordEvents } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { Problem } from '../../lib/problem.ts'
import { requireLockedBuild } from './build-change.db.ts'
import { requireBuildOrTrashed, updateBuildRestored, updateBuildsTrashed } from './build-trash.db.ts'
import { listFullBuilds, requireFullBuild } from './build.db.ts'
import { buildFacts, type FullBuild } from './build.ts'

type By = Parameters<typeof recordEvent>[1] & { config: Config }

/** Puts one build into the trash; releases that hold it keep their reference for a restore. */
export async function trashBuild(tx: Tx, by: By, applicationId: string, id: string): Promise<void> {
  await requireLockedBuild(tx, applicationId, id)
  await trashBuilds(tx, by, applicationId, [id])
}

/** The same with some hundred that the caller holds and has found outside of the trash. */
export async function trashBuilds(tx: Tx, by: By, applicationId: string, ids: string[]): Promise<void> {
  const builds = await listFullBuilds(tx, ids, by.config)
  await updateBuildsTrashed(tx, ids)
  await recordEvents(
    tx,
    by,
    builds.map((build) => ({
      action: 'build.deleted',
      applicationId,
      subject: { type: 'build', id: build.id },
      before: buildFacts(build),
      events: [{ name: 'build.deleted', data: { build } }],
    })),
  )
}

/** Takes one build out of the trash; throws `build.not_in_trash`, or `build.expired` when its days there are over. */
export async function untrashBuild(call: Call, applicationId: string, id: string): Promise<FullBuild> {
  return inTransaction(call.db, async (tx) => {
    if (!(await updateBuildRestored(tx, applicationId, id, call.config.trashDays))) {
      const { deleted_at } = await requireBuildOrTrashed(tx, applicationId, id)
      if (deleted_at !== null) throw new Problem('gone', 'build.expired', 'Its days in the trash are over.')
      throw new Problem('conflict', 'build.not_in_trash', 'This build is not in the trash.')
    }
    const build = await requireFullBuild(tx, applicationId, id, call.config)
    await recordEvent(tx, call, {
      action: 'build.restored',
      applicationId,
      subject: { type: 'build', id },
      after: buildFacts(build),
    })
    return build
  })
}
