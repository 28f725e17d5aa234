import { setTimeout as sleep } from 'node:timers/promises'
import { anySignal } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'

/** The minimum time between two checks. It limits the number of requests while changes follow each other quickly. */
const minPauseMs = 300

/**
 * Follows the event stream of an application. `wait` returns soon after a change. If no change is reported, for example
 * because a proxy does not support event streams, it returns after about `maxMs`.
 */
export function followChanges(context: CommandContext, application_id: string) {
  let isChanged = false
  let wake = (): void => {}

  async function follow(): Promise<void> {
    const { signal } = context
    const events = context.client().watchEvents({ application_id }, { signal })
    // `ready` counts as a change, because something may have changed since the last check.
    for await (const { event, data } of events) {
      if (event === 'change' && data.type === 'upload') continue
      isChanged = true
      wake()
    }
  }

  let isFollowing = false
  const start = () => {
    if (isFollowing) return
    isFollowing = true
    follow()
      // Without the stream, the caller finds changes when `wait` returns after `maxMs`.
      .catch(() => {})
      .finally(() => {
        isFollowing = false
      })
  }

  return {
    async wait(maxMs: number): Promise<void> {
      start()
      const { signal } = context
      await sleep(Math.min(minPauseMs, maxMs), undefined, { signal })
      if (!isChanged) {
        const stop = new AbortController()
        wake = () => stop.abort()
        await sleep(maxMs, undefined, { signal: anySignal([signal, stop.signal]) }).catch(() => {})
        signal.throwIfAborted()
      }
      isChanged = false
    },
  }
}
