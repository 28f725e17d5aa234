export interface Clock {
  now(): Date
  /** Returns milliseconds since startup. Setting the wall clock does not change it, so ages and timeouts use it. */
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
