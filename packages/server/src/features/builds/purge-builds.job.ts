import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvents, type Change } from '../../events/record-event.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { togetherOrAlone } from '../../jobs/together-or-alone.ts'
import { updateStoredObjectsDeleted } from '../../storage/stored-objects.db.ts'
import { listOverdueApplications } from '../applications/application.db.ts'
import {
  deleteBuildRows,
  deleteSomeDownloads,
  listBuildsOfApplication,
  listLockedOverdueBuilds,
  listObjectsOfBuilds,
  listOverdueBuilds,
} from './build-purge.db.ts'
import type { Cursor } from './build-trash.db.ts'
import { versionResource } from './build.ts'

const atOnce = 100
const downloadsAtOnce = 5_000

/**
 * Empties the trash: rows of builds whose days there are over, or whose application's days are, go for good, and what
 * was stored for them is marked. Some builds are a transaction, so that a crash leaves whole ones and nobody waits.
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
    if (stopping?.aborted === true) return count
    count += await togetherOrAlone(
      found.map(({ id }) => id),
      {
        work: (ids) => purgeThoseOverdue(deps, ids, stopping),
        onError: (err, build) => deps.log.error({ err, build }, 'could not purge a build'),
      },
    )
    last = found.length < atOnce ? undefined : found.at(-1)
  } while (last !== undefined)
  return count
}

async function purgeThoseOverdue(
  { db, config }: Deps,
  ids: string[],
  stopping: AbortSignal | undefined,
): Promise<number> {
  // a build may have been downloaded a million times
  await inBatches(downloadsAtOnce, (most) => deleteSomeDownloads(db, ids, most), stopping)
  if (stopping?.aborted === true) return 0
  return inTransaction(db, async (tx) => {
    const builds = await listLockedOverdueBuilds(tx, ids, config.trashDays)
    const objects = await listObjectsOfBuilds(
      tx,
      builds.map(({ id }) => id),
    )
    await updateStoredObjectsDeleted(
      tx,
      objects.map(({ key }) => key),
    )
    await deleteBuildRows(
      tx,
      builds.map(({ id }) => id),
    )
    const counts = Map.groupBy(objects, ({ build_id }) => build_id)
    for (const [workspaceId, ofWorkspace] of Map.groupBy(builds, ({ workspace_id }) => workspace_id)) {
      const actor = { via: 'system', keyId: null, name: 'Trash', workspaceId } as const
      const changes = ofWorkspace.map((build) => purged(build, counts.get(build.id)?.length ?? 0))
      await recordEvents(tx, { actor, address: null }, changes)
    }
    return builds.length
  })
}

type OverdueBuild = Awaited<ReturnType<typeof listLockedOverdueBuilds>>[number]

const purged = (build: OverdueBuild, objects: number): Change => ({
  action: 'build.purged',
  applicationId: build.application_id,
  subject: { type: 'build', id: build.id },
  before: {
    version: versionResource(build).version,
    build_number: build.build_number,
    size_total_bytes: build.size_total_bytes,
    metadata_total_bytes: build.metadata_total_bytes,
    deleted_at: build.deleted_at,
    objects,
  },
})
