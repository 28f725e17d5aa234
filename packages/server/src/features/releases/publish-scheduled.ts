import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { observeJob } from '../../jobs/observe-job.ts'
import { startTimedWork, type TimedWorker } from '../../jobs/timed-work.ts'
import { Problem } from '../../lib/problem.ts'
import { publishLockedReleases } from './release-status.ts'
import { claimDueReleases, findPublicationDelayMs } from './release.db.ts'

// A large batch would delay requests that change one of its releases.
const batchSize = 25
const concurrency = 2
const retryMs = 60_000

type Batch = { claimed: string[]; error?: unknown }

/**
 * Publishes each scheduled release at its time or, if no service was running then, as soon as one runs. A release whose
 * application is in the trash is published when the application is restored.
 */
export function startReleasePublisher(deps: Deps, pollMs?: number): TimedWorker {
  const { db, log, eventStreams } = deps
  const failed = createFailedReleases(deps.clock)

  /** Publishes up to `batchSize` due releases. Returns their number. */
  async function publishSome(): Promise<number> {
    const { claimed, error } = await publishBatch(deps, failed, { limit: batchSize })
    if (error === undefined) return claimed.length
    if (error instanceof Problem && error.kind === 'unavailable') throw error
    // One of them may have failed, so each is published alone.
    for (const id of claimed) {
      const single = await publishBatch(deps, failed, { limit: 1, ids: [id] })
      if (single.error === undefined) continue
      failed.add(id)
      log.error({ err: single.error, release: id }, 'a scheduled release could not be published')
    }
    return claimed.length
  }

  async function publishUntilNoneIsDue(stopping: AbortSignal): Promise<number> {
    for (let total = 0; ;) {
      const count = stopping.aborted ? 0 : await publishSome()
      if (count === 0) return total
      total += count
      eventStreams.announce()
    }
  }

  return startTimedWork(
    {
      name: 'releases.publish-scheduled',
      findDelayMs: () => findPublicationDelayMs(db, failed.list()),
      async runDue(stopping) {
        const counts = await Promise.all(
          Array.from({ length: concurrency }, () => publishUntilNoneIsDue(stopping)),
        )
        return counts.reduce((sum, count) => sum + count, 0)
      },
    },
    { log, pollMs },
  )
}

type FailedReleases = ReturnType<typeof createFailedReleases>

/** Creates the list of the releases that could not be published. Each leaves it when it is time to try again. */
function createFailedReleases(clock: Deps['clock']) {
  const retryTimes = new Map<string, number>()
  return {
    add(id: string): void {
      retryTimes.set(id, clock.monotonicMs() + retryMs)
    },
    list(): string[] {
      for (const [id, retryAt] of retryTimes) if (retryAt <= clock.monotonicMs()) retryTimes.delete(id)
      return [...retryTimes.keys()]
    },
  }
}

/** Publishes up to `limit` due releases in one transaction. Returns the claimed ones and the error of the transaction. */
async function publishBatch(
  deps: Deps,
  failed: FailedReleases,
  { limit, ids }: { limit: number; ids?: string[] },
): Promise<Batch> {
  let claimed: string[] = []
  try {
    await observeJob(deps, 'releases.publish-scheduled', () =>
      inTransaction(deps.db, async (tx) => {
        const rows = await claimDueReleases(tx, { ids, exceptIds: failed.list(), limit })
        claimed = rows.map(({ id }) => id)
        for (const [workspaceId, some] of Map.groupBy(rows, ({ workspace_id }) => workspace_id))
          await publishLockedReleases(tx, publisherOf(deps, workspaceId), some)
      }),
    )
    if (claimed.length > 0) deps.log.info({ releases: claimed }, 'published scheduled releases')
    return { claimed }
  } catch (error) {
    if (claimed.length === 0) throw error
    return { claimed, error }
  }
}

const publisherOf = (deps: Deps, workspaceId: string) => ({
  ...deps,
  actor: { via: 'system', id: null, name: 'Release schedule', workspaceId } as const,
  address: null,
})
