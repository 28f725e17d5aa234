import type { Logger } from 'pino'
import { createWakeUp } from '../lib/wake-up.ts'

const defaultPollMs = 1_000
const pauseAfterErrorMs = 2_000

type TimedWork = {
  name: string
  /**
   * Returns the time until the next item is due, by the clock of the database: zero or less if one is due, and undefined
   * if there is none.
   */
  findDelayMs(): Promise<number | undefined>
  /** Processes all items that are due and returns their number. Items that another node processes are skipped. */
  runDue(stopping: AbortSignal): Promise<number>
}

type Options = { log: Pick<Logger, 'warn'>; pollMs?: number | undefined }

export type TimedWorker = {
  /** Looks for items immediately. Call it when the time of an item has been set. */
  wake(): void
  /** Waits for the items in progress. */
  stop(): Promise<void>
}

/**
 * Processes items at their times, which are in the database, and those that became due while no service was running.
 * Any number of nodes can process the same items. The poll finds items whose notification was lost.
 */
export function startTimedWork(
  { name, findDelayMs, runDue }: TimedWork,
  { log, pollMs = defaultPollMs }: Options,
): TimedWorker {
  const stopping = new AbortController()
  const { wake, pause } = createWakeUp()
  const recovery = createWakeUp()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const delayMs = (await findDelayMs()) ?? pollMs
        if (delayMs > 0) await pause(Math.min(Math.ceil(delayMs), pollMs))
        // An item that cannot be processed now remains due.
        else if ((await runDue(stopping.signal)) === 0) await pause(pollMs)
      } catch (error) {
        log.warn({ err: error, work: name }, 'timed work is delayed')
        await recovery.pause(pauseAfterErrorMs)
      }
    }
  }

  const running = run()
  return {
    wake,
    async stop() {
      stopping.abort()
      wake()
      recovery.wake()
      await running
    },
  }
}
