import { fromKysely, PgBoss, type ConstructorOptions, type JobResult, type QueueResult } from 'pg-boss'
import type { Executor } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Queue } from './job-queue.ts'
import type { Job } from './job.ts'
import { observeJob } from './observe-job.ts'
import { listActiveJobs } from './queue.db.ts'

export type JobQueue = ReturnType<typeof createQueue>

type Options = {
  connection: Pick<
    ConstructorOptions,
    'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
  >
  onError: (error: Error) => void
  /** Whether this process runs jobs. Otherwise, it only enqueues them. */
  runsJobs?: boolean
  /** Whether a process that runs jobs also enqueues those that have a schedule; true by default. */
  schedulesJobs?: boolean
  /** How often the queue checks for jobs whose worker is no longer running. */
  superviseIntervalSeconds?: number
}

type StartOptions = { db: Executor; isSoleService: boolean; retiredSchedules?: readonly string[] }

// A worker that was killed sends no heartbeat, so its jobs are retried without waiting for `expireInSeconds`.
const heartbeatSeconds = 30

// No notification is sent when a retry or a delayed job becomes due, so jobs with retries are polled every 3 s instead of
// every 30 s.
const workOptions = ({ retries }: { retries: number }) =>
  ({
    notifyPollingIntervalSeconds: retries > 0 ? 3 : 30,
    burstWhenBatchFull: true,
    perJobResults: true,
  }) as const

/** Creates the job queue, which is stored in the service database; `start` creates its tables and queues. */
export function createQueue({
  connection,
  onError,
  runsJobs = true,
  schedulesJobs = true,
  superviseIntervalSeconds = heartbeatSeconds,
}: Options) {
  const boss = new PgBoss({
    ...connection,
    max: runsJobs ? 4 : 1,
    useListenNotify: runsJobs,
    supervise: runsJobs,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
    schedule: runsJobs && schedulesJobs,
  })
  boss.on('error', onError)
  boss.on('warning', (warning) => onError(new Error(`queue: ${JSON.stringify(warning)}`)))
  const stopping = new AbortController()
  return {
    queue: enqueueTo(boss),
    /**
     * Starts the queue. `isSoleService` means that no other service uses the database, so any active job was left by a
     * killed service and is retried. `retiredSchedules` names the jobs of earlier versions that no longer run.
     */
    async start(
      jobs: readonly Job<never>[],
      { db, isSoleService, retiredSchedules = [] }: StartOptions,
    ): Promise<void> {
      await boss.start()
      await saveJobs(boss, jobs, retiredSchedules)
      if (!isSoleService) return
      for (const { name, id } of await listActiveJobs(db))
        await boss.fail(name, id, { message: 'The service was killed.' })
    },
    /** Runs jobs as they become due. `onRun` is called after each batch. */
    async work(jobs: readonly Job<never>[], deps: Deps, onRun?: () => void): Promise<void> {
      for (const job of jobs) {
        const batchSize = job.concurrency ?? 1
        await boss.work(job.name, { ...workOptions(job), batchSize }, (batch) =>
          Promise.all(
            batch.map(({ id, data }) =>
              resultOf(id, async () => {
                if (job.waitsForUploads === true) await deps.uploadTurns.wait(stopping.signal)
                await observeJob(deps, job.name, () => job.handle(deps, data as never, stopping.signal))
              }),
            ),
          ).finally(onRun),
        )
      }
    },
    async stop(): Promise<void> {
      stopping.abort()
      await boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}

/** Returns the functions that enqueue jobs in the transaction of their caller. */
const enqueueTo = (boss: PgBoss): Queue => ({
  async enqueue(tx, job, data) {
    await boss.send(job.name, data, { db: fromKysely(tx) })
  },
  async enqueueAll(tx, job, items) {
    if (items.length === 0) return
    const jobs = items.map((data) => ({ data }))
    await boss.insert(job.name, jobs, { db: fromKysely(tx) })
  },
})

/**
 * Creates or updates the queues and schedules of the jobs. Skips those that are up to date, because each write takes a
 * lock and its own transaction, which would add a third to the startup time.
 */
async function saveJobs(
  boss: PgBoss,
  jobs: readonly Job<never>[],
  retiredSchedules: readonly string[],
): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]))
  for (const name of retiredSchedules) if (schedules.has(name)) await boss.unschedule(name)
  for (const { name, retries, expireInSeconds, schedule } of jobs) {
    const retry = { retryLimit: retries, retryBackoff: true, retryDelay: 5 }
    const options = { ...retry, expireInSeconds, heartbeatSeconds, notify: true }
    const queue = queues.get(name)
    if (queue === undefined) await boss.createQueue(name, options)
    else if (!hasOptions(queue, options)) await boss.updateQueue(name, options)
    if (schedule !== undefined && schedules.get(name) !== schedule) await boss.schedule(name, schedule)
  }
}

const hasOptions = (queue: QueueResult, options: Partial<QueueResult>): boolean =>
  Object.entries(options).every(([name, value]) => Reflect.get(queue, name) === value)

/** Returns a separate result for each job of a batch, so that only failed jobs are retried. */
async function resultOf(id: string, work: () => Promise<void>): Promise<JobResult> {
  try {
    await work()
    return { id, status: 'completed' }
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { id, status: 'failed', output: { message } }
  }
}
