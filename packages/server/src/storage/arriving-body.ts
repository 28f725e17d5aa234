import type { IncomingMessage } from 'node:http'

export type Patience = {
  /** A client is given up when this much time, spent waiting for it alone, brought too few bytes. */
  windowSeconds: number
  minBytesPerSecond: number
}

const checksPerWindow = 12

/**
 * The chunks of a body; throws when the client goes. There is no limit on the whole: `onStall` is called when the
 * client, not our disk, was too slow over a window. Stopping early leaves the connection usable for an answer.
 */
export async function* arrivingBody(
  request: IncomingMessage,
  {
    windowSeconds,
    minBytesPerSecond,
    onStart,
    onStall,
  }: Patience & { onStart: () => void; onStall: () => void },
): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting = false
  let checksWaited = 0
  let receivedBytes = 0
  const timer = setInterval(
    () => {
      if (waiting) checksWaited += 1
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
      waiting = true
      const step = await chunks.next()
      waiting = false
      if (step.done === true) return
      receivedBytes += step.value.length
      yield step.value
      release(step.value)
    }
  } finally {
    clearInterval(timer)
    await chunks.return?.()
  }
}

/**
 * Gives the memory back at once. Left to the garbage collector, some 60 MB of chunks pile up, and each is new and cold.
 */
function release(chunk: Uint8Array): void {
  const { buffer } = chunk
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength) buffer.transfer(0)
}
