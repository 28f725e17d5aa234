import type { Logger } from 'pino'
import type { Clock } from '../lib/clock.ts'

/** What every step of the start uses. */
export type StartContext = {
  log: Logger
  clock: Clock
  /** Cancels a start that is waiting for the database or the bucket. */
  stopping: AbortSignal | undefined
  /** Receives the functions that close what the step has opened. They run in reverse order. */
  closers: (() => Promise<void>)[]
}
