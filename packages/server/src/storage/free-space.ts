import { statfs } from 'node:fs/promises'
import { Problem } from '../lib/problem.ts'

/** Disk space reserved for one transfer; `release` frees the part that was not written. */
export type SpaceReservation = {
  recordWritten(sizeBytes: number): void
  recheck(): Promise<void>
  release(): void
}

export type FreeSpace = { reserve(sizeBytes: number): Promise<SpaceReservation> }

/**
 * Keeps disk space free for the database: 5 % of the disk or 512 MiB, whichever is more. Transfers that would use it
 * are rejected with `out_of_space`. The free space is read each time, so freeing some is enough to recover.
 */
export function createFreeSpace({
  folder,
  reservedBytes,
}: {
  folder: string
  reservedBytes: number | undefined
}): FreeSpace {
  let pendingBytes = 0

  const requireSpace = async (sizeBytes: number): Promise<void> => {
    const disk = await statfs(folder)
    const reserved = reservedBytes ?? Math.max(disk.blocks * disk.bsize * 0.05, 512 * 1024 * 1024)
    if (disk.bavail * disk.bsize - pendingBytes - sizeBytes < reserved) throw outOfSpace()
  }

  return {
    async reserve(sizeBytes) {
      await requireSpace(sizeBytes)
      let remainingBytes = sizeBytes
      pendingBytes += remainingBytes
      const reduce = (bytes: number): void => {
        const reducedBytes = Math.min(bytes, remainingBytes)
        remainingBytes -= reducedBytes
        pendingBytes -= reducedBytes
      }
      return {
        recordWritten: reduce,
        recheck: () => requireSpace(0),
        release: () => reduce(remainingBytes),
      }
    },
  }
}

export const outOfSpace = (cause?: unknown): Problem =>
  new Problem(
    'out_of_space',
    'storage.out_of_space',
    'There is not enough disk space on the server to store this file. Free some space, then try again.',
    { cause },
  )
