type Options<K, V> = {
  /** Returns the values in the order of the keys, undefined where there is none. */
  load: (keys: K[]) => Promise<(V | undefined)[]>
  maxBatch: number
  /** Loads that run at once; further keys wait for the next one. */
  maxConcurrency: number
}

type Waiting<K, V> = { key: K; resolve: (value: V | undefined) => void; reject: (error: unknown) => void }

/**
 * Returns a function that loads single values. While no more than `maxConcurrency` loads run, each key is loaded at
 * once. Beyond that, waiting keys share a load, so any number of callers costs a bounded number of queries.
 */
export function batched<K, V>({ load, maxBatch, maxConcurrency }: Options<K, V>) {
  const waiting: Waiting<K, V>[] = []
  let running = 0

  async function run(): Promise<void> {
    running++
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      try {
        const values = await load(batch.map(({ key }) => key))
        for (const [index, { resolve }] of batch.entries()) resolve(values[index])
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running--
  }

  return (key: K): Promise<V | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (running < maxConcurrency) void run()
    })
}
