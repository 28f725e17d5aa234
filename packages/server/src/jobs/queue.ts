import { fromKysely, PgBoss, type ConstructorOptions, type JobResult } from 'pg-boss'
import type { Executor } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Job } from './job.ts'

export interface Queue {
  /** Runs the job once the caller's transaction has committed; never if it rolls back. */
  enqueue<D extends object>(tx: Executor, job: Job<D>, data: D): Promise<void>
  /** The same for each of many, in one statement. */
  enqueueAll<D extends object>(tx: Executor, job: Job<D>, each: readonly D[]): Promise<void>
}

type Options = {
  connection: Pick<
    ConstructorOptions,
    'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
  >
  onError: (error: Error) => void
}

// A retry that has come due wakes nobody: without the 3 s it would wait for the 30 s that pg-boss polls at.
// A full batch is followed by the next one at once.
const polling = ({ retries }: { retries: number }) =>
  ({
    notifyPollingIntervalSeconds: retries > 0 ? 3 : 30,
    burstWhenBatchFull: true,
    perJobResults: true,
  }) as const

/** The queue in the same database; `start` makes its tables, queues and schedules. */
export function createQueue({ connection, onError }: Options) {
  const boss = new PgBoss({ ...connection, max: 4, useListenNotify: true, supervise: true, schedule: true })
  boss.on('error', onError)
  boss.on('warning', (warning) => onError(new Error(`queue: ${JSON.stringify(warning)}`)))
  const stopping = new AbortController()
  const queue: Queue = {
    async enqueue(tx, job, data) {
      await boss.send(job.name, data, { db: fromKysely(tx) })
    },
    async enqueueAll(tx, job, each) {
      if (each.length === 0) return
      const jobs = each.map((data) => ({ data }))
      await boss.insert(job.name, jobs, { db: fromKysely(tx) })
    },
  }
  return {
    queue,
    async start(jobs: readonly Job<never>[]): Promise<void> {
      await boss.start()
      for (const { name, retries, expireInSeconds } of jobs) {
        const options = {
          retryLimit: retries,
          retryBackoff: true,
          retryDelay: 5,
          expireInSeconds,
          notify: true,
        }
        await boss.createQueue(name, options)
        await boss.updateQueue(name, options)
      }
    },
    async work(jobs: readonly Job<never>[], deps: Deps): Promise<void> {
      for (const job of jobs) {
        if (job.schedule !== undefined) await boss.schedule(job.name, job.schedule)
        const batchSize = job.atOnce ?? 1
        await boss.work(job.name, { ...polling(job), batchSize }, (taken) =>
          Promise.all(
            taken.map(({ id, data }) => resultOf(id, () => job.handle(deps, data as never, stopping.signal))),
          ),
        )
      }
    },
    async stop(): Promise<void> {
      stopping.abort()
      await boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}

/** One that fails is tried again by itself; the others of its batch are done. */
async function resultOf(id: string, work: () => Promise<void>): Promise<JobResult> {
  try {
    await work()
    return { id, status: 'completed' }
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { id, status: 'failed', output: { message } }
  }
}
