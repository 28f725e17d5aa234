import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { findLockedMovingStream, listMovingStreams, lockMovingStream } from './moving-stream.db.ts'
import { removeStream } from './stream.db.ts'

const uploadBatchSize = 2_000

/**
 * Moves the builds of deleted streams that were not moved during the DELETE request, one batch per transaction, and
 * then deletes the streams. Clients see all builds in the new stream as soon as the request returns.
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
    while (await inTransaction(deps.db, (tx) => moveNextBatch(tx, deps, id)))
      if (stopping?.aborted === true) return
  }
}

/** Moves one batch; returns false if nothing is left to move or another transaction has locked the stream. */
async function moveNextBatch(tx: Tx, { config, log, dependents }: Deps, id: string): Promise<boolean> {
  const stream = await findLockedMovingStream(tx, id)
  if (stream === undefined) return false
  const toId = stream.moving_to
  const author = { ...stream.moved_by, config }
  if (await dependents.moveSomeBuildsOfStream(tx, author, stream, toId)) return true
  if ((await dependents.detachSomeUploadsOfStream(tx, id, uploadBatchSize)) === uploadBatchSize) return true
  // As in `deleteStream`, moves the uploads before locking the stream, because a verify call locks its upload before
  // the stream.
  await dependents.moveUploadsOfStream(tx, id, toId)
  await lockMovingStream(tx, id)
  await dependents.moveUploadsOfStream(tx, id, toId)
  if (await dependents.moveSomeBuildsOfStream(tx, author, stream, toId)) return true
  await removeStream(tx, id)
  log.info({ stream: id, to: toId }, 'moved all builds of a deleted stream')
  return false
}
