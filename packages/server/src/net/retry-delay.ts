const seconds = 1
const minutes = 60
const hours = 60 * minutes

/** The time of each attempt, in seconds after the first attempt. */
const attemptTimes = [
  0,
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
]
const maxRetryAfterSeconds = 24 * hours
// Jitter prevents requests that failed at the same time from all being retried at the same time.
const jitterShare = 0.1

type RetryAfter = { header: string | undefined; nowMs: number }

/**
 * Returns the number of seconds until the next attempt, or undefined if all attempts have been made. A `Retry-After`
 * header can extend the delay to at most one day.
 */
export function retryDelaySeconds(
  attempts: number,
  retryAfter: RetryAfter,
  random: () => number = Math.random,
): number | undefined {
  const next = attemptTimes[attempts]
  if (next === undefined) return undefined
  const delay = next - (attemptTimes[attempts - 1] ?? 0)
  return Math.max(delay * (1 + jitterShare * random()), requestedDelaySeconds(retryAfter))
}

/** Returns the number of seconds that a `Retry-After` header requests, at most one day, or 0 without a valid header. */
export function requestedDelaySeconds({ header, nowMs }: RetryAfter): number {
  if (header === undefined) return 0
  // Discord sends fractions of a second.
  const seconds = /^\d{1,9}(\.\d{1,9})?$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), maxRetryAfterSeconds)
}
