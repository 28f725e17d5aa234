/**
 * Repeats work that takes at most so many rows at once until it finds fewer, or the service stops; answers how many in
 * all. Each batch commits by itself: nobody waits long for it, and what is left the next run takes.
 */
export async function inBatches(
  atOnce: number,
  work: (atOnce: number) => Promise<number>,
  stopping?: AbortSignal,
): Promise<number> {
  let total = 0
  for (;;) {
    if (stopping?.aborted === true) return total
    const count = await work(atOnce)
    total += count
    if (count < atOnce) return total
  }
}
