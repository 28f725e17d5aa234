const maxBlockBytes = 1024 * 1024
export const minBlockBytes = 64 * 1024

/** How much of the free memory one block may use, so that blocks become smaller as downloads increase. */
const maxBlockFraction = 1 / 16

/** The memory for the blocks of one download. */
export type BlockMemory = {
  /** Returns the maximum size of the next block. It is `minBlockBytes` if no memory is free. */
  blockBytes(): number
  hold(sizeBytes: number): void
  release(sizeBytes: number): void
}

/** Returns the memory for a download of these owners, such as the client and the file. */
export type BlockMemories = (owners: readonly string[]) => BlockMemory

/**
 * Creates the memory that downloads share. They use at most `maxBytes`, of which those of one owner use at most half, and
 * a block of `minBlockBytes` each. No download waits for memory, because a client that does not read could hold it for a
 * minute.
 */
export function createBlockMemories(maxBytes: number): BlockMemories {
  const maxOwnerBytes = maxBytes / 2
  const heldBytes = new Map<string, number>()
  let totalBytes = 0

  function add(owners: readonly string[], sizeBytes: number): void {
    totalBytes += sizeBytes
    for (const owner of owners) {
      const ownerBytes = (heldBytes.get(owner) ?? 0) + sizeBytes
      if (ownerBytes > 0) heldBytes.set(owner, ownerBytes)
      else heldBytes.delete(owner)
    }
  }

  return (owners) => ({
    blockBytes() {
      const ofOwners = owners.map((owner) => maxOwnerBytes - (heldBytes.get(owner) ?? 0))
      const freeBytes = Math.min(maxBytes - totalBytes, ...ofOwners)
      return Math.min(maxBlockBytes, Math.max(minBlockBytes, Math.floor(freeBytes * maxBlockFraction)))
    },
    hold: (sizeBytes) => add(owners, sizeBytes),
    release: (sizeBytes) => add(owners, -sizeBytes),
  })
}
