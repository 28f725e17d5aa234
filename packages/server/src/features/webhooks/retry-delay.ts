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
  { header, nowMs }: RetryAfter,
  random: () => number = Math.random,
): number | undefined {
  const next = attemptTimes[attempts]
  if (next === undefined) return undefined
  const delay = next - (attemptTimes[attempts - 1] ?? 0)
  const requested = Math.min(retryAfterSeconds(header, nowMs), maxRetryAfterSeconds)
  return Math.max(delay * (1 + jitterShare * random()), requested)
}

function retryAfterSeconds(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, (date - nowMs) / 1000)
}
