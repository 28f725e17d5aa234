import { setTimeout as pause } from 'node:timers/promises'
import type { Executor } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { inBatches } from '../../../jobs/in-batches.ts'
import { job } from '../../../jobs/job.ts'
import { hasUnstartedJobs } from '../../../jobs/queue.db.ts'
import { artifactReading, reinspectArtifacts } from '../artifacts/inspect-artifact.job.ts'
import { chunkReading, indexBuild } from '../chunks/index-build.ts'
import { checksumReading, hashFile, rehashBuild } from '../files/hash-file.job.ts'
import { patchBuild } from '../patches/patch-build.job.ts'
import { skipUninspectableBuilds } from './build-inspection.db.ts'
import {
  claimOutdatedBuild,
  countOutdatedBuilds,
  postponeReading,
  releaseReading,
  renewReading,
  type ReadingKind,
} from './build-reading.db.ts'
import { inspectBuild } from './inspect-build.job.ts'
import { inspectionReading, reinspectBuild } from './reinspect-build.ts'

type Reader = {
  kind: ReadingKind
  /** Increased when the service reads more or differently. Builds that were read by a lower version are read again. */
  version: number
  /** Reads the files of a build again and records the version. Returns false if that has to be done later. */
  read: (deps: Deps, buildId: string, stopping: AbortSignal) => Promise<boolean>
  /** The name of a job that is more urgent: nothing is read while one of these jobs waits for a worker. */
  yieldsTo?: string
}

const readers: readonly Reader[] = [
  { ...inspectionReading, read: reinspectBuild, yieldsTo: inspectBuild.name },
  { ...checksumReading, read: rehashBuild },
  { ...artifactReading, read: reinspectArtifacts },
  { ...chunkReading, read: indexAndPatch, yieldsTo: hashFile.name },
]

/** Computes the chunk indexes of a build, and enqueues the creation of patches, which takes longer. */
function indexAndPatch(deps: Deps, buildId: string, stopping: AbortSignal): Promise<boolean> {
  return indexBuild(deps, buildId, stopping, (tx) => deps.queue.enqueue(tx, patchBuild, { buildId }))
}

/** Counts the builds whose files will be read again, by kind of reading. */
export const countBuildsToReread = (db: Executor) => countOutdatedBuilds(db, readers)

/**
 * How long other nodes leave a claimed build to the node that claimed it, unless that node renews the lease. The files of a
 * node that was killed wait as long.
 */
const leaseMinutes = 2
const retryMinutes = 60
const batchSize = 1_000
const maxRunMs = 30 * 60 * 1000

/**
 * Reads the files of new builds for checksums that are not computed during the upload, and those of existing builds
 * again after an upgrade to a version that reads more from them. Each build is
 * claimed and saved separately, so that any number of nodes can take part and a restart loses nothing.
 */
export const rereadBuilds = job({
  name: 'builds.reread',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => rereadOutdatedBuilds(deps, stopping),
})

/** Reads the files of builds again until none is due, half an hour has passed or the service stops. */
export async function rereadOutdatedBuilds(
  deps: Deps,
  stopping: AbortSignal,
  { renewEveryMs = 20_000 } = {},
): Promise<void> {
  await inBatches(batchSize, (limit) => skipUninspectableBuilds(deps.db, inspectionReading, limit), stopping)
  const startedAt = deps.clock.monotonicMs()
  while (!stopping.aborted && deps.clock.monotonicMs() - startedAt < maxRunMs) {
    let count = 0
    for (const reader of readers) count += await rereadNext(deps, reader, { stopping, renewEveryMs })
    if (count === 0) return
  }
}

type Run = { stopping: AbortSignal; renewEveryMs: number }

/** Reads the files of the next build, if there is one, and returns the number of builds. */
async function rereadNext(deps: Deps, reader: Reader, run: Run): Promise<number> {
  const { db, clock, uploadTurns } = deps
  const { yieldsTo } = reader
  // The next run continues.
  if (run.stopping.aborted || (yieldsTo !== undefined && (await hasUnstartedJobs(db, yieldsTo)))) return 0
  await uploadTurns.wait(run.stopping)
  const buildId = await claimOutdatedBuild(db, reader, leaseMinutes)
  if (buildId === undefined) return 0
  const claimedAt = clock.monotonicMs()
  await reread(deps, reader, buildId, run)
  // Leaves half of the time to uploads and downloads.
  await pause(clock.monotonicMs() - claimedAt, undefined, { signal: run.stopping }).catch(() => {})
  return 1
}

async function reread(
  deps: Deps,
  { kind, version, read }: Reader,
  buildId: string,
  { stopping, renewEveryMs }: Run,
): Promise<void> {
  const { db, log } = deps
  // Reading a large file takes longer than the lease.
  const renewal = setInterval(() => {
    renewReading(db, buildId, { kind, version, leaseMinutes }).catch((err: unknown) =>
      log.warn({ err, build: buildId, kind }, 'could not renew the lease of a build'),
    )
  }, renewEveryMs)
  try {
    const isRead = await read(deps, buildId, stopping).finally(() => clearInterval(renewal))
    if (!isRead) await postponeReading(db, buildId, { kind, minutes: retryMinutes })
  } catch (err) {
    if (stopping.aborted) return await releaseReading(db, buildId, kind)
    log.error({ err, build: buildId, kind }, 'could not read the files of a build again')
    await postponeReading(db, buildId, { kind, minutes: retryMinutes })
  }
}
