export interface Clock {
  now(): Date
  /** Returns the milliseconds since startup, for ages and timeouts. Wall clock changes do not affect it. */
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
