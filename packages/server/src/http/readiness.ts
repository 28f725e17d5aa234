import { Problem } from '../lib/problem.ts'

type Check = {
  /** The subject of the error message, such as `The database`. */
  subject: string
  /** Throws if the subject is not ready. */
  run: () => Promise<void>
}

const maxWaitMs = 3_000

/**
 * Returns a function that runs all checks at once and throws the first problem, or `readiness.timeout` after 3 s: a
 * call to a disk that hangs may never return. Each check runs at most once at a time, so that calls do not pile up.
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

async function withDeadline(subject: string, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(
      new Problem(
        'unavailable',
        'readiness.timeout',
        `${subject} did not respond within ${maxWaitMs / 1000} s.`,
      ),
    )
  }, maxWaitMs)
  await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
