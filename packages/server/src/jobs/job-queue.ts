import type { Executor } from '../database/transaction.ts'

/** What the queue must know of a job with data of this type. A `Job` also depends on everything that it may use. */
type Enqueued<D extends object> = {
  name: string
  handle: (deps: never, data: D, stopping: AbortSignal) => Promise<void>
}

export interface Queue {
  /**
   * Enqueues a job in the caller's transaction. The job runs after the commit and is discarded on rollback.
   */
  enqueue<D extends object>(tx: Executor, job: Enqueued<D>, data: D): Promise<void>
  /** Enqueues one job for each item in one statement, with the same guarantees. */
  enqueueAll<D extends object>(tx: Executor, job: Enqueued<D>, items: readonly D[]): Promise<void>
}
