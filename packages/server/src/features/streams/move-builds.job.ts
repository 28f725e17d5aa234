import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { updateSomeUploadsForgotten, updateUploadsOfStream } from '../uploads/pending-upload.db.ts'
import { atOnce, moveSomeBuilds } from './move-builds.ts'
import { findLockedMovingStream, listMovingStreams, lockMovingStream } from './moving-stream.db.ts'
import { deleteStreamRow } from './stream.db.ts'

const uploadsAtOnce = 2_000

/**
 * Moves the builds of deleted streams that held too many for one request, some in a transaction, and removes each
 * stream after its last one. Everybody sees the builds where they go from the deletion on.
 */
export const moveBuilds = job({
  name: 'streams.move-builds',
  schedule: '* * * * *',
  retries: 3,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => moveBuildsOfDeletedStreams(deps, stopping),
})

export async function moveBuildsOfDeletedStreams(deps: Deps, stopping?: AbortSignal): Promise<void> {
  for (const { id } of await listMovingStreams(deps.db)) {
    while (await inTransaction(deps.db, (tx) => moveSome(tx, deps, id)))
      if (stopping?.aborted === true) return
  }
}

/** False when nothing is left to do, or somebody else does it. */
async function moveSome(tx: Tx, { config, log }: Deps, id: string): Promise<boolean> {
  const from = await findLockedMovingStream(tx, id)
  if (from === undefined) return false
  const by = { ...from.moved_by, config }
  if ((await moveSomeBuilds(tx, by, from, from.moving_to)) === atOnce) return true
  if ((await updateSomeUploadsForgotten(tx, id, uploadsAtOnce)) === uploadsAtOnce) return true
  // as when a stream is deleted: a verify under way holds its upload, then its stream
  await updateUploadsOfStream(tx, id, from.moving_to)
  await lockMovingStream(tx, id)
  await updateUploadsOfStream(tx, id, from.moving_to)
  if ((await moveSomeBuilds(tx, by, from, from.moving_to)) === atOnce) return true
  await deleteStreamRow(tx, id)
  log.info({ stream: id, to: from.moving_to }, 'the builds of a deleted stream have moved')
  return false
}
