type Options<K, V> = {
  /** Returns the values in the order of the keys; undefined for keys without a value. */
  load: (keys: K[]) => Promise<(V | undefined)[]>
  maxBatch: number
  /** Maximum number of concurrent loads. Additional keys wait and share the next load. */
  maxConcurrency: number
}

type Waiting<K, V> = { key: K; resolve: (value: V | undefined) => void; reject: (error: unknown) => void }

/**
 * Returns a function that loads single values. While fewer than `maxConcurrency` loads are running, each key is loaded
 * immediately. Otherwise, keys wait and share the next load, which limits the number of concurrent queries.
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
