export interface Clock {
  now(): Date
  /** How far the wall clock has been set since the start, in milliseconds: 0 while it only ran. */
  jumpMs(): number
}

export function createSystemClock(): Clock {
  const started = Date.now() - performance.now()
  return {
    now: () => new Date(),
    jumpMs: () => Date.now() - performance.now() - started,
  }
}
