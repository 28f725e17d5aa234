const maxKeys = 20

export type Memory = ReturnType<typeof createMemory>

/** Creates the memory of a publication for what several of its documents are made from. */
export function createMemory() {
  const known = new Map<string, Promise<unknown>>()
  return {
    /** Returns what was created for the key, and creates it if it is not in memory. A failure is not kept. */
    remember<T>(key: string, create: () => Promise<T>): Promise<T> {
      const remembered = known.get(key)
      if (remembered !== undefined) return remembered as Promise<T>
      const [oldest] = known.keys()
      if (known.size >= maxKeys && oldest !== undefined) known.delete(oldest)
      const created = create()
      known.set(key, created)
      created.catch(() => {
        if (known.get(key) === created) known.delete(key)
      })
      return created
    },
  }
}
