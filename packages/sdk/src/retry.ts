import { setTimeout as sleep } from 'node:timers/promises'
import { networkCode } from './errors.ts'

// Failures in which the request certainly never reached the service.
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'])

/** Whether a failed try may be made again. `repeatable`: doing the operation twice does no harm. */
export function mayRetryStatus(status: number, repeatable: boolean): boolean {
  return status === 429 || (repeatable && (status === 502 || status === 503 || status === 504))
}

/** Whether a try that got no answer may be made again. */
export function mayRetryFailure(error: unknown, repeatable: boolean): boolean {
  return repeatable || neverSent.has(networkCode(error))
}

/**
 * Milliseconds before the try after `attempt` (from 0): 0.25 s doubled each time up to 8 s, with jitter;
 * a `Retry-After` header (seconds or date) is obeyed where it asks for longer, up to 120 s.
 */
export function retryDelayMs(attempt: number, retryAfter: string | null, random = Math.random): number {
  const backOff = Math.min(250 * 2 ** attempt, 8_000) * (0.5 + random() / 2)
  return Math.max(backOff, Math.min(retryAfterMs(retryAfter), 120_000))
}

function retryAfterMs(header: string | null): number {
  if (header === null) return 0
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now())
}

/** Waits, or rejects at once when the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {})
}
