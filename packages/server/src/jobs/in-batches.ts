/**
 * Repeats work that takes at most so many rows at once until it finds fewer; answers how many in all. Each batch
 * commits by itself: nobody waits long for it, and what a crash leaves the next run takes.
 */
export async function inBatches(atOnce: number, work: (atOnce: number) => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await work(atOnce)
    total += count
    if (count < atOnce) return total
  }
}
