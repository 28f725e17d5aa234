import { anySignal } from '@quayside/sdk'

/** A range of a file that is sent in one PUT. Number 0 stands for the whole file. */
export type PlannedPart = { number: number; start: number; sizeBytes: number }

/** Returns the parts of a file. `partSizeMb` is in MiB, and the last part may be smaller. */
export function planParts(sizeBytes: number, partSizeMb: number): PlannedPart[] {
  const partBytes = partSizeMb * 1024 * 1024
  return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => {
    const start = index * partBytes
    return { number: index + 1, start, sizeBytes: Math.min(partBytes, sizeBytes - start) }
  })
}

/** Runs `work` for each item, at most `parallel` at a time. The first failure aborts all other calls. */
export async function runInParallel<Item>(
  items: Item[],
  parallel: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const stopped = anySignal([signal, stop.signal])
  const remaining = items.values()
  const worker = async (): Promise<void> => {
    for (const item of remaining) {
      stopped.throwIfAborted()
      await work(item, stopped)
    }
  }
  const workers = Array.from({ length: Math.min(parallel, items.length) }, () =>
    worker().catch((error: unknown) => {
      stop.abort(error)
      throw error
    }),
  )
  const results = await Promise.allSettled(workers)
  signal.throwIfAborted()
  if (stop.signal.aborted) throw stop.signal.reason
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
