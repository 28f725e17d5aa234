import { problem } from '../lib/problem.ts'

type Check = {
  /** The subject of the error message, such as `The database`. */
  subject: string
  /** Throws if the subject is not ready. */
  run: () => Promise<void>
}

const tickMs = 200
const maxTicks = 15

/**
 * Returns a function that runs all checks concurrently and throws the first problem, or `readiness.timeout` after 3 s,
 * because a call to an unresponsive disk may never return. Each check runs at most once at a time, so that calls do not
 * accumulate.
 */
export function createReadinessCheck(checks: readonly Check[]): () => Promise<void> {
  const guarded = checks.map(({ subject, run }) => {
    let running: Promise<void> | undefined
    return async () => {
      running ??= run().finally(() => {
        running = undefined
      })
      await withDeadline(subject, running)
    }
  })
  return async () => {
    await Promise.all(guarded.map((check) => check()))
  }
}

/** Measures time in timer ticks, so that time during which this process is stalled does not count as waiting. */
async function withDeadline(subject: string, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  let ticks = 0
  const timer = setInterval(() => {
    if (++ticks < maxTicks) return
    reject(checkTimedOut({ subject, seconds: (maxTicks * tickMs) / 1000 }))
  }, tickMs)
  await Promise.race([work, promise]).finally(() => clearInterval(timer))
}

const checkTimedOut = problem(
  'unavailable',
  'readiness.timeout',
  '{subject} did not respond within {seconds} s.',
)
