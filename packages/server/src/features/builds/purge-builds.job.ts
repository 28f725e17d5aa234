import { listOverdueApplications } from '../../access/application.db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvents, type Change } from '../../events/record-event.ts'
import { runBatchWithFallback } from '../../jobs/batch-with-fallback.ts'
import { assertDeletionAllowed } from '../../jobs/deletion-guard.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { markObjectsDeleted } from '../../storage/objects/stored-objects.db.ts'
import {
  deleteBuilds,
  deleteSomeDownloads,
  listBuildsOfApplication,
  listLockedOverdueBuilds,
  listObjectsOfBuilds,
  listOverdueBuilds,
} from './build-purge.db.ts'
import type { Cursor } from './build-trash.db.ts'
import { versionResource } from './build.ts'

const batchSize = 100
const downloadBatchSize = 5_000

/**
 * Purges builds once their restore period, or that of their application, has ended: deletes their rows and marks their
 * objects for deletion. Each batch is one transaction, so that locks are held briefly and an interrupted run leaves no
 * build partially purged.
 */
export const purgeBuilds = job({
  name: 'builds.purge',
  schedule: '23 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => purgeOverdueBuilds(deps, stopping),
})

export async function purgeOverdueBuilds(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await assertDeletionAllowed(deps)
  const { db, config, log } = deps
  const { trashDays } = config
  let builds = await purgeEach(deps, stopping, (after) => listOverdueBuilds(db, trashDays, after, batchSize))
  for (const { id } of await listOverdueApplications(db, trashDays))
    builds += await purgeBuildsOfApplication(deps, id, stopping)
  if (builds > 0) log.info({ builds }, 'purged builds from the trash')
}

/** Purges the builds of an application whose restore period has ended, and returns their number. */
export const purgeBuildsOfApplication = (deps: Deps, id: string, stopping?: AbortSignal): Promise<number> =>
  purgeEach(deps, stopping, (after) => listBuildsOfApplication(deps.db, id, after, batchSize))

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
    count += await runBatchWithFallback(
      found.map(({ id }) => id),
      {
        work: (ids) => purgeOverdue(deps, ids, stopping),
        onError: (err, build) => deps.log.error({ err, build }, 'could not purge a build'),
      },
    )
    last = found.length < batchSize ? undefined : found.at(-1)
  } while (last !== undefined)
  return count
}

async function purgeOverdue(
  { db, config }: Deps,
  ids: string[],
  stopping: AbortSignal | undefined,
): Promise<number> {
  // A build may have a million download records, so they are deleted in batches. Each batch locks the builds again,
  // because they may have been restored since the previous batch.
  const deleteDownloads = (limit: number) =>
    inTransaction(db, async (tx) => {
      const builds = await listLockedOverdueBuilds(tx, ids, config.trashDays)
      return deleteSomeDownloads(
        tx,
        builds.map(({ id }) => id),
        limit,
      )
    })
  await inBatches(downloadBatchSize, deleteDownloads, stopping)
  if (stopping?.aborted === true) return 0
  return inTransaction(db, async (tx) => {
    const builds = await listLockedOverdueBuilds(tx, ids, config.trashDays)
    const lockedIds = builds.map(({ id }) => id)
    const objects = await listObjectsOfBuilds(tx, lockedIds)
    const keys = objects.map(({ key }) => key)
    await markObjectsDeleted(tx, keys)
    await deleteBuilds(tx, lockedIds)
    const objectsOf = Map.groupBy(objects, ({ build_id }) => build_id)
    for (const [workspaceId, ofWorkspace] of Map.groupBy(builds, ({ workspace_id }) => workspace_id)) {
      const actor = { via: 'system', id: null, name: 'Trash', workspaceId } as const
      const changes = ofWorkspace.map((build) => purgeOf(build, objectsOf.get(build.id)?.length ?? 0))
      await recordEvents(tx, { actor, address: null }, changes)
    }
    return builds.length
  })
}

type OverdueBuild = Awaited<ReturnType<typeof listLockedOverdueBuilds>>[number]

const purgeOf = (build: OverdueBuild, objects: number): Change => ({
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
