/** Memory that bytes pass through; shared, so that the hashing thread sees it without a copy. */
export type Slab = { memory: SharedArrayBuffer; bytes: Uint8Array }

export type SlabPool = {
  /** Memory for a transfer of which `sizeBytes` are left. */
  take: (sizeBytes: number) => Slab
  give: (slab: Slab) => void
}

const smallSlabBytes = 64 * 1024

/**
 * Large slabs are fast (fewer, longer calls) but dear: there are `count` of them for all transfers together, made when
 * first needed and kept. Past that a transfer gets a small one of its own: slower, never waiting for a slow client.
 */
export function createSlabPool({ slabBytes, count }: { slabBytes: number; count: number }): SlabPool {
  const free: Slab[] = []
  let made = 0
  return {
    take(sizeBytes) {
      if (sizeBytes <= smallSlabBytes) return newSlab(sizeBytes)
      const slab = free.pop()
      if (slab !== undefined) return slab
      if (made >= count) return newSlab(smallSlabBytes)
      made += 1
      return newSlab(slabBytes)
    },
    give(slab) {
      if (slab.memory.byteLength === slabBytes) free.push(slab)
    },
  }
}

function newSlab(sizeBytes: number): Slab {
  const memory = new SharedArrayBuffer(sizeBytes)
  return { memory, bytes: new Uint8Array(memory) }
}
