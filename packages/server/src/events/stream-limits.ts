import { problem } from '../lib/problem.ts'

export type EventStreamSettings = {
  /** Maximum number of open streams in this process. */
  eventStreamLimit: number
  /** Maximum number of open streams for each API key or user. */
  eventStreamsPerKey: number
}

/**
 * Creates the limits on open streams. `reserve` throws if there are too many. Otherwise, it counts a stream until the
 * function that it returns is called.
 */
export function createStreamLimits({ eventStreamLimit, eventStreamsPerKey }: EventStreamSettings) {
  const openByKey = new Map<string, number>()
  let open = 0
  let isClosed = false
  const assertOpen = () => {
    if (isClosed) throw stopping()
  }
  return {
    open: () => open,
    assertOpen,
    /** Makes `reserve` and `assertOpen` throw, because the server is stopping. */
    close(): void {
      isClosed = true
    },
    reserve(key: string): () => void {
      assertOpen()
      const ofKey = openByKey.get(key) ?? 0
      if (ofKey >= eventStreamsPerKey) throw tooManyOfKey({ limit: eventStreamsPerKey })
      if (open >= eventStreamLimit) throw tooMany()
      open++
      openByKey.set(key, ofKey + 1)
      return () => {
        open--
        const others = (openByKey.get(key) ?? 0) - 1
        if (others > 0) openByKey.set(key, others)
        else openByKey.delete(key)
      }
    },
  }
}

const tooManyOfKey = problem(
  'too_many',
  'events.too_many_streams',
  'You have reached the limit of {limit} open event streams. Close one of them first.',
  { retryAfterSeconds: 10 },
)

const tooMany = problem(
  'unavailable',
  'events.no_capacity',
  'Too many event streams are open. Try again later.',
  { retryAfterSeconds: 10 },
)

const stopping = problem('unavailable', 'server.stopping', 'The server is stopping. Try again shortly.', {
  retryAfterSeconds: 1,
})

export const streamLimitProblems = [tooManyOfKey, tooMany, stopping]
