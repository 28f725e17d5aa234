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
  handle: (deps: Deps, data: D) => Promise<void>
}

export const job = <D extends object>(definition: Job<D>): Job<D> => definition
