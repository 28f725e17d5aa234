import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvent } from '../../events/record-event.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { Problem } from '../../lib/problem.ts'
import { updateStoredObjectsDeleted } from '../../storage/stored-objects.db.ts'
import { listOverdueApplications } from '../applications/application.db.ts'
import {
  deleteBuildRow,
  deleteSomeDownloads,
  findLockedOverdueBuild,
  listBuildsOfApplication,
  listObjectKeysOfBuild,
  listOverdueBuilds,
} from './build-purge.db.ts'
import type { Cursor } from './build-trash.db.ts'
import { versionResource } from './build.ts'

const atOnce = 200
const downloadsAtOnce = 5_000

/**
 * Empties the trash: rows of builds whose days there are over, or whose application's days are, go for good, and what
 * was stored for them is marked. One build at a time, so that a crash leaves whole ones and nobody waits.
 */
export const purgeBuilds = job({
  name: 'builds.purge',
  schedule: '23 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => purgeOverdueBuilds(deps, stopping),
})

export async function purgeOverdueBuilds(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  const { db, config, log } = deps
  const { trashDays } = config
  let builds = await purgeEach(deps, stopping, (after) => listOverdueBuilds(db, trashDays, after, atOnce))
  for (const { id } of await listOverdueApplications(db, trashDays))
    builds += await purgeEach(deps, stopping, (after) => listBuildsOfApplication(db, id, after, atOnce))
  if (builds > 0) log.info({ builds }, 'purged builds from the trash')
}

async function purgeEach(
  deps: Deps,
  stopping: AbortSignal | undefined,
  listNext: (after: Cursor | undefined) => Promise<Cursor[]>,
): Promise<number> {
  let count = 0
  let last: Cursor | undefined
  do {
    const found = await listNext(last)
    for (const { id } of found) {
      if (stopping?.aborted === true) return count
      if (await purgeBuild(deps, id)) count++
    }
    last = found.length < atOnce ? undefined : found.at(-1)
  } while (last !== undefined)
  return count
}

async function purgeBuild({ db, config, log }: Deps, id: string): Promise<boolean> {
  try {
    // a build may have been downloaded a million times
    await inBatches(downloadsAtOnce, (most) => deleteSomeDownloads(db, id, most))
    return await inTransaction(db, async (tx) => {
      const build = await findLockedOverdueBuild(tx, id, config.trashDays)
      if (build === undefined) return false
      const keys = await listObjectKeysOfBuild(tx, id)
      await updateStoredObjectsDeleted(tx, keys)
      await deleteBuildRow(tx, id)
      const { workspace_id: workspaceId, size_total_bytes, metadata_total_bytes } = build
      const by = { via: 'system', keyId: null, name: 'Trash', workspaceId } as const
      await recordEvent(
        tx,
        { actor: by, address: null },
        {
          action: 'build.purged',
          applicationId: build.application_id,
          subject: { type: 'build', id },
          before: {
            version: versionResource(build).version,
            build_number: build.build_number,
            size_total_bytes,
            metadata_total_bytes,
            deleted_at: build.deleted_at,
            objects: keys.length,
          },
        },
      )
      return true
    })
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unavailable') throw error
    log.error({ err: error, build: id }, 'could not purge a build')
    return false
  }
}
