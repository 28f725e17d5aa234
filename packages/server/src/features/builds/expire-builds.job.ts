import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { runBatchWithFallback } from '../../jobs/batch-with-fallback.ts'
import { assertDeletionAllowed } from '../../jobs/deletion-guard.ts'
import { job } from '../../jobs/job.ts'
import { listStreamsWithRetention } from '../streams/stream.db.ts'
import { type Cursor, listExpiredBuilds, listExpiredOf, listLockedBuilds } from './build-trash.db.ts'
import { moveLockedBuildsToTrash } from './trash-build.ts'

const batchSize = 100

/**
 * Applies retention: moves expired builds to the trash. Each batch is one transaction, so that locks are held briefly
 * and an interrupted run leaves no build partially moved.
 */
export const expireBuilds = job({
  name: 'builds.expire',
  schedule: '11 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => trashExpiredBuilds(deps, stopping),
})

type Stream = Awaited<ReturnType<typeof listStreamsWithRetention>>[number]

export async function trashExpiredBuilds(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await assertDeletionAllowed(deps)
  for (const stream of await listStreamsWithRetention(deps.db)) {
    const builds = await trashExpiredBuildsOf(deps, stream, stopping)
    const { id, application_id: application } = stream
    if (builds > 0) deps.log.info({ application, stream: id, builds }, 'retention moved builds to the trash')
  }
}

async function trashExpiredBuildsOf(deps: Deps, stream: Stream, stopping?: AbortSignal): Promise<number> {
  let count = 0
  let last: Cursor | undefined
  do {
    const expired = await listExpiredBuilds(deps.db, stream.id, last, batchSize)
    if (stopping?.aborted === true) return count
    count += await runBatchWithFallback(
      expired.map(({ id }) => id),
      {
        work: (ids) => trashExpired(deps, stream, ids),
        onError: (err, build) =>
          deps.log.error({ err, build }, 'retention could not move a build to the trash'),
      },
    )
    last = expired.length < batchSize ? undefined : expired.at(-1)
  } while (last !== undefined)
  return count
}

async function trashExpired({ db, config }: Deps, stream: Stream, ids: string[]): Promise<number> {
  const { application_id: applicationId, workspace_id: workspaceId } = stream
  const by = { actor: { via: 'system', id: null, name: 'Retention', workspaceId }, address: null } as const
  return inTransaction(db, async (tx) => {
    const expired = await listExpiredOf(tx, await listLockedBuilds(tx, ids))
    await moveLockedBuildsToTrash(tx, { ...by, config }, applicationId, expired)
    return expired.length
  })
}
