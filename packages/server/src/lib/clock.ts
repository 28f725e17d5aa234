export interface Clock {
  now(): Date
  /** Returns the number of milliseconds by which the wall clock has been adjusted since startup. */
  jumpMs(): number
}

export function createSystemClock(): Clock {
  const started = Date.now() - performance.now()
  return {
    now: () => new Date(),
    jumpMs: () => Date.now() - performance.now() - started,
  }
}
