import type { IncomingMessage } from 'node:http'

export type StallLimit = {
  /** Only time spent waiting for the client counts toward the window. */
  windowSeconds: number
  minBytesPerSecond: number
}

const checksPerWindow = 12

/** Thrown when the client disconnects. This is not a server error and is not logged as one. */
export class ClientDisconnected extends Error {
  constructor(cause?: unknown) {
    super('the client disconnected', { cause })
    this.name = 'ClientDisconnected'
  }
}

/**
 * Yields the chunks of a request body. Throws `ClientDisconnected` if the client disconnects, and the abort reason once
 * `signal` is aborted and a chunk arrives. Calls `onChunk` with the size of each chunk, `onStall` if the client sends
 * too few bytes in a window, and `onAbort` if no chunk arrives after an abort. Leaves the connection open, so that a
 * response can still be sent.
 */
export async function* readRequestBody(
  request: IncomingMessage,
  {
    windowSeconds,
    minBytesPerSecond,
    signal,
    onStart,
    onChunk,
    onStall,
    onAbort,
  }: StallLimit & {
    signal: AbortSignal
    onStart: () => void
    onChunk: (sizeBytes: number) => void
    onStall: () => void
    onAbort: () => void
  },
): AsyncGenerator<Uint8Array, void, undefined> {
  let isWaiting = false
  let checksWaited = 0
  let receivedBytes = 0
  const timer = setInterval(
    () => {
      if (isWaiting && signal.aborted) return onAbort()
      if (isWaiting) checksWaited += 1
      if (checksWaited < checksPerWindow) return
      if (receivedBytes < minBytesPerSecond * windowSeconds) onStall()
      checksWaited = 0
      receivedBytes = 0
    },
    (windowSeconds * 1000) / checksPerWindow,
  )
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>
  try {
    onStart()
    for (;;) {
      isWaiting = true
      const next = await chunks.next().catch((error: unknown) => {
        throw new ClientDisconnected(error)
      })
      isWaiting = false
      signal.throwIfAborted()
      if (next.done === true) return
      receivedBytes += next.value.length
      onChunk(next.value.length)
      yield next.value
      freeMemory(next.value)
    }
  } finally {
    clearInterval(timer)
    await chunks.return?.()
  }
}

/**
 * Frees the memory of a chunk immediately. Otherwise, about 60 MB of chunks accumulate before they are
 * garbage-collected.
 */
export function freeMemory(chunk: Uint8Array): void {
  const { buffer } = chunk
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength) buffer.transfer(0)
}
