import { statfs } from 'node:fs/promises'
import { Problem } from '../lib/problem.ts'

/** Room set aside for one transfer; `release` gives back what was not written. */
export type SpaceClaim = { wrote(sizeBytes: number): void; recheck(): Promise<void>; release(): void }

export type FreeSpace = { claim(sizeBytes: number): Promise<SpaceClaim> }

/**
 * Keeps room on the disk for the database: 5 % of it or 512 MiB, whichever is more. Transfers that would eat into it
 * are refused with `out_of_space`; the disk is asked each time, so it heals by itself.
 */
export function createFreeSpace({
  folder,
  reservedBytes,
}: {
  folder: string
  reservedBytes: number | undefined
}): FreeSpace {
  let claimedBytes = 0

  const require = async (sizeBytes: number): Promise<void> => {
    const disk = await statfs(folder)
    const reserved = reservedBytes ?? Math.max(disk.blocks * disk.bsize * 0.05, 512 * 1024 * 1024)
    if (disk.bavail * disk.bsize - claimedBytes - sizeBytes < reserved) throw outOfSpace()
  }

  return {
    async claim(sizeBytes) {
      await require(sizeBytes)
      let left = sizeBytes
      claimedBytes += left
      const giveBack = (bytes: number): void => {
        const given = Math.min(bytes, left)
        left -= given
        claimedBytes -= given
      }
      return { wrote: giveBack, recheck: () => require(0), release: () => giveBack(left) }
    },
  }
}

export const outOfSpace = (cause?: unknown): Problem =>
  new Problem('out_of_space', 'storage.out_of_space', 'There is not enough space left to store this file.', {
    cause,
  })
