/**
 * Calls `work` until it processes fewer than `batchSize` rows or the service stops, and returns the total. Each batch
 * is committed separately, so that locks are held only briefly. The next run processes the remaining rows.
 */
export async function inBatches(
  batchSize: number,
  work: (limit: number) => Promise<number>,
  stopping?: AbortSignal,
): Promise<number> {
  let total = 0
  for (;;) {
    if (stopping?.aborted === true) return total
    const count = await work(batchSize)
    total += count
    if (count < batchSize) return total
  }
}
