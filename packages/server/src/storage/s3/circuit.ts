export type Circuit = {
  /** Runs the work, or throws the error from `refuse` without running it while the circuit is open. */
  run<T>(work: () => Promise<T>): Promise<T>
}

type Options = {
  /** The number of consecutive failures after which the circuit opens. */
  maxFailures: number
  /** How long the circuit stays open before one call may test whether the other side works again. */
  openMs: number
  isFailure: (error: unknown) => boolean
  refuse: () => Error
  /** Returns a monotonic time in milliseconds. */
  now?: () => number
}

/** Creates a circuit breaker, so that callers do not queue up while a remote service is down. */
export function createCircuit({
  maxFailures,
  openMs,
  isFailure,
  refuse,
  now = () => performance.now(),
}: Options): Circuit {
  let failures = 0
  let openUntilMs = 0
  let isTesting = false
  return {
    async run(work) {
      const isOpen = failures >= maxFailures
      if (isOpen && (isTesting || now() < openUntilMs)) throw refuse()
      if (isOpen) isTesting = true
      try {
        const result = await work()
        failures = 0
        return result
      } catch (error) {
        if (isFailure(error)) {
          failures += 1
          openUntilMs = now() + openMs
        } else {
          failures = 0
        }
        throw error
      } finally {
        if (isOpen) isTesting = false
      }
    },
  }
}
