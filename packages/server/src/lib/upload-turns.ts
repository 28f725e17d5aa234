import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from './clock.ts'

export type UploadTurns = {
  /** Counts a request of an upload until the returned function is called, but not for long if no other one starts. */
  start(): () => void
  /** Waits until background work may run, or until the signal is aborted. */
  wait(signal?: AbortSignal): Promise<void>
}

const pollMs = 50
/** How long it takes after a request until the next one of the same upload is unlikely. */
const quietMs = 100
/** How long after the start of the latest request clients count as uploading: a slow one must not hold back other work for hours. */
const countedMs = 10_000
const maxWaitMs = 2_000
const turnMs = 500

/**
 * Lets background work wait while clients upload. While they never stop, it gets a turn of half a second every two and a
 * half seconds, so that it always progresses.
 */
export function createUploadTurns({ monotonicMs }: Pick<Clock, 'monotonicMs'>): UploadTurns {
  let running = 0
  let latestStart = -Infinity
  let quietFrom = -Infinity
  let waitingSince: number | undefined
  let turnEnds = -Infinity

  const mayRun = (): boolean => {
    const now = monotonicMs()
    if (now < turnEnds) return true
    const isQuiet = (running === 0 || now - latestStart >= countedMs) && now >= quietFrom
    waitingSince ??= now
    if (!isQuiet && now - waitingSince < maxWaitMs) return false
    waitingSince = undefined
    if (!isQuiet) turnEnds = now + turnMs
    return true
  }

  return {
    start() {
      running += 1
      latestStart = monotonicMs()
      return () => {
        running -= 1
        quietFrom = monotonicMs() + quietMs
      }
    },
    async wait(signal) {
      while (!mayRun()) {
        if (signal?.aborted === true) return
        await pause(pollMs, undefined, { ...(signal && { signal }) }).catch(() => {})
      }
    },
  }
}
