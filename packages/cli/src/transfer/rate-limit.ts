type ReadHeader = (name: string) => string | null | undefined

// GitHub and Gitea prefix these headers with `x-`. GitLab does not.
const prefixes = ['x-ratelimit', 'ratelimit']

/**
 * Returns how long a server asks clients to wait, as a `Retry-After` value: the header itself or, if the limit is used up,
 * the seconds until it is reset. Returns null if the response does not limit the rate of requests.
 */
export function retryAfterOf(header: ReadHeader, nowMs: number): string | null {
  const retryAfter = header('retry-after')
  if (retryAfter !== null && retryAfter !== undefined) return retryAfter
  for (const prefix of prefixes) {
    const resetSeconds = Number(header(`${prefix}-reset`) ?? Number.NaN)
    if (header(`${prefix}-remaining`) !== '0' || !Number.isFinite(resetSeconds)) continue
    return String(Math.max(1, Math.ceil(resetSeconds - nowMs / 1000)))
  }
  return null
}
