import type { Deps } from '../deps.ts'

export type Job<D extends object = object> = {
  /** The name of the job, in the form `noun.verb`. */
  name: string
  /** Cron expression of a scheduled job. Each scheduled run is executed on only one node. */
  schedule?: string
  retries: number
  expireInSeconds: number
  /**
   * Number of concurrent jobs per node; 1 by default. A value above 1 also avoids pauses between polls while many jobs
   * are queued.
   */
  concurrency?: number
  /** Whether a run waits while clients upload. Set for jobs that need much CPU time or read files. */
  waitsForUploads?: boolean
  /**
   * `stopping` is aborted when the service stops. A long job must then end and leave its remaining work to the next
   * run.
   */
  handle: (deps: Deps, data: D, stopping: AbortSignal) => Promise<void>
}

export const job = <D extends object>(definition: Job<D>): Job<D> => definition
