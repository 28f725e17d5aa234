const maxKeys = 20
/** The total size of the objects that a channel keeps. */
const maxBytes = 32 * 1024 * 1024

export type Memory = ReturnType<typeof createMemory>

/** Creates the memory of a publication for what several of its documents are made from. */
export function createMemory() {
  const known = new Map<string, unknown>()
  return {
    /** Returns what was created for the key, and creates it if it is not in memory. */
    remember<T>(key: string, create: () => T): T {
      if (known.has(key)) return known.get(key) as T
      const [oldest] = known.keys()
      if (known.size >= maxKeys && oldest !== undefined) known.delete(oldest)
      const created = create()
      known.set(key, created)
      if (created instanceof Promise)
        created.catch(() => {
          if (known.get(key) === created) known.delete(key)
        })
      return created
    },
  }
}

export type KeptObjects = ReturnType<typeof createKeptObjects>

/**
 * Creates the objects of a channel. They outlive publications, so that a client that has read a reference can still
 * fetch what it leads to.
 */
export function createKeptObjects() {
  const objects = new Map<string, Buffer>()
  let keptBytes = 0
  return {
    add(id: string, bytes: Buffer): void {
      // The objects that are still in use become the newest.
      if (!objects.delete(id)) keptBytes += bytes.length
      objects.set(id, bytes)
      for (const [oldest, { length }] of objects) {
        if (keptBytes <= maxBytes) break
        objects.delete(oldest)
        keptBytes -= length
      }
    },
    find: (id: string): Buffer | undefined => objects.get(id),
  }
}
