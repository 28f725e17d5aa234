import type { Deps } from '../deps.ts'

export type Job<D extends object = object> = {
  /** `noun.verb` */
  name: string
  /** Cron expression of a job that runs by itself, once for all nodes. */
  schedule?: string
  retries: number
  expireInSeconds: number
  /** How many a node works on side by side; 1 unless given. More also drains a long queue without a pause. */
  atOnce?: number
  /** `stopping` aborts when the service ends: work in many steps leaves the rest to the next run. */
  handle: (deps: Deps, data: D, stopping: AbortSignal) => Promise<void>
}

export const job = <D extends object>(definition: Job<D>): Job<D> => definition
