import { networkCode } from './errors.ts'

// These errors occur only before the request is sent.
const notSentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'])

/** Returns whether a request may be retried after a response with this status. */
export function isRetryableStatus(status: number, isIdempotent: boolean): boolean {
  return status === 429 || (isIdempotent && (status === 502 || status === 503 || status === 504))
}

/** Returns whether a request may be retried if no response arrived. */
export function isRetryableFailure(error: unknown, isIdempotent: boolean): boolean {
  return isIdempotent || notSentCodes.has(networkCode(error))
}

/**
 * Returns the delay before the next attempt in milliseconds: 250 ms after attempt 0, doubled with each attempt up to 8
 * s, with jitter. A longer delay in `Retry-After` (seconds or a date) is honored up to 120 s.
 */
export function retryDelayMs(attempt: number, retryAfter: string | null, random = Math.random): number {
  const backoffMs = Math.min(250 * 2 ** attempt, 8_000) * (0.5 + random() / 2)
  return Math.max(backoffMs, Math.min(retryAfterMs(retryAfter), 120_000))
}

/** Returns the time that a `Retry-After` header asks a client to wait, in milliseconds, or 0 without a valid header. */
export function retryAfterMs(header: string | null): number {
  if (header === null) return 0
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now())
}

/** Waits for `ms` milliseconds. If the signal is aborted, rejects immediately with its reason. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
