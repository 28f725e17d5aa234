/** A range of a file that is sent by one PUT; number 0 is the whole file. */
export type PlannedPart = { number: number; start: number; sizeBytes: number }

/** The parts of a file as the service laid them out; part sizes are whole MiB, the last one is what is left. */
export function planParts(sizeBytes: number, partSizeMb: number): PlannedPart[] {
  const partBytes = partSizeMb * 1024 * 1024
  return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => {
    const start = index * partBytes
    return { number: index + 1, start, sizeBytes: Math.min(partBytes, sizeBytes - start) }
  })
}

/** Runs `work` for each item, at most `parallel` at a time, in order; the first failure stops the rest. */
export async function inParallel<Item>(
  items: Item[],
  parallel: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  const waiting = items.values()
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      both.throwIfAborted()
      await work(item, both)
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
