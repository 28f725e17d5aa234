import { setTimeout as pause } from 'node:timers/promises'
import type { Problem } from './problem.ts'

export type WaitOptions = {
  log: { warn(details: object, message: string): void }
  timeoutSeconds: number
  /** Stops waiting and throws the abort reason when the signal is aborted. */
  stopping: AbortSignal | undefined
}

type Dependency = {
  /** Returns why the dependency is unavailable, or undefined if it responds. Throws errors that waiting cannot solve. */
  findProblem: () => Promise<Problem | undefined>
  describe: (problem: Problem) => string
  /** Returns the error to throw after the timeout. */
  explain: (reason: string, cause: Problem) => Problem
  /** Logged while waiting. */
  waiting: string
  retryMs: number
}

const logIntervalMs = 5_000

/** Waits until a dependency responds. Throws the explained `Problem` after the timeout. */
export async function waitUntilAvailable(
  { findProblem, describe, explain, waiting, retryMs }: Dependency,
  { log, timeoutSeconds, stopping }: WaitOptions,
): Promise<void> {
  const startedAt = performance.now()
  let lastLoggedAt = -Infinity
  for (;;) {
    stopping?.throwIfAborted()
    const problem = await findProblem()
    if (problem === undefined) return
    const now = performance.now()
    const secondsLeft = Math.ceil(timeoutSeconds - (now - startedAt) / 1_000)
    const reason = describe(problem)
    if (secondsLeft <= 0) throw explain(reason, problem)
    if (now - lastLoggedAt >= logIntervalMs) {
      log.warn({ reason, secondsLeft }, waiting)
      lastLoggedAt = now
    }
    await pause(retryMs)
  }
}
