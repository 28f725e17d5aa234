export interface Clock {
  now(): Date
  /**
   * Returns the milliseconds since the process started. Wall-clock adjustments do not affect the value, so it is
   * suitable for measuring ages and timeouts.
   */
  monotonicMs(): number
  /** Returns the number of milliseconds by which the wall clock has been adjusted since startup. */
  jumpMs(): number
}

export function createSystemClock(): Clock {
  const started = Date.now() - performance.now()
  return {
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    jumpMs: () => Date.now() - performance.now() - started,
  }
}
