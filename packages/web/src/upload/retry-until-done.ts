import { QuaysideError, QuaysideUnreachableError, retryDelayMs } from '@quayside/sdk'
import { LoadError } from '../api/load-module.ts'
import { ConnectionError } from './put-blob.ts'

/** Thrown for a response of storage that is worth another attempt. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
  readonly retryAfter: string | null

  constructor(message: string, retryAfter: string | null) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** Why the next attempt waits: until a time in milliseconds since the epoch, or until the browser is online. */
export type RetryWait =
  | { phase: 'offline'; error: unknown }
  | { phase: 'retrying'; error: unknown; at: number }

const temporaryStatuses = new Set([408, 425, 429, 502, 503, 504])
const maxOfflineWaitMs = 30_000

/**
 * Repeats a call until it succeeds or fails for a reason that another attempt cannot change. A lost connection and a
 * busy server are retried without limit, because the person can see the attempts and stop them.
 */
export async function retryUntilDone<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { signal, onWait }: { signal: AbortSignal; onWait: (wait: RetryWait) => void },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await whileOnline(call, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isTemporary(error)) throw error
      if (!navigator.onLine) {
        onWait({ phase: 'offline', error })
        await waitUntilOnline(maxOfflineWaitMs, signal)
        continue
      }
      const delayMs = retryDelayMs(attempt, error instanceof BusyError ? error.retryAfter : null)
      onWait({ phase: 'retrying', error, at: Date.now() + delayMs })
      await waitUntilOnline(delayMs, signal)
    }
  }
}

/** Aborts the call when the browser goes offline. Otherwise, a lost connection would be noticed only after a timeout. */
async function whileOnline<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const lost = new AbortController()
  const onOffline = () => lost.abort(new ConnectionError('the browser is offline'))
  window.addEventListener('offline', onOffline)
  try {
    return await call(AbortSignal.any([signal, lost.signal]))
  } finally {
    window.removeEventListener('offline', onOffline)
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof QuaysideError) return temporaryStatuses.has(error.status)
  return (
    error instanceof QuaysideUnreachableError ||
    error instanceof ConnectionError ||
    error instanceof BusyError ||
    (error instanceof LoadError && !error.needsReload)
  )
}

/** Waits for this time, or less if the browser comes back online. Rejects if the signal is aborted. */
function waitUntilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer)
      window.removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      if (signal.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const timer = setTimeout(finish, ms)
    window.addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}
