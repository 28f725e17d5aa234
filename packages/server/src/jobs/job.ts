import type { Deps } from '../deps.ts'

export type Job<D extends object = object> = {
  /** The name of the job, in the form `noun.verb`. */
  name: string
  /** Cron expression of a scheduled job; it runs on one node only. */
  schedule?: string
  retries: number
  expireInSeconds: number
  /** Number of concurrent jobs per node; 1 by default. A higher value also avoids pauses while a queue is long. */
  concurrency?: number
  /** `stopping` is aborted when the service stops. A long job must then leave the rest to the next run. */
  handle: (deps: Deps, data: D, stopping: AbortSignal) => Promise<void>
}

export const job = <D extends object>(definition: Job<D>): Job<D> => definition
