import { statfs } from 'node:fs/promises'
import { Problem } from '../lib/problem.ts'
import type { LocalLayout } from './local-layout.ts'

/** Disk space claimed for one transfer. */
export type SpaceClaim = {
  /** Accounts for bytes about to be written; throws `out_of_space` when the disk has no room for them. */
  extend(sizeBytes: number): Promise<void>
  /** Releases the space that was claimed but not written. */
  release(): void
}

export type FreeSpace = {
  /** Throws `out_of_space` if the disk has no room for the whole transfer now. */
  claim(sizeBytes: number): Promise<SpaceClaim>
}

const minSliceBytes = 64 * 1024
const maxSliceBytes = 64 * 1024 * 1024
const maxReservedFiles = 10_000

/**
 * Keeps disk space free for the database: 5 % of the disk or 512 MiB, whichever is more, and 5 % of the inodes or
 * 10,000, whichever is fewer. Transfers that would use it are rejected with `out_of_space`. The free space is read each
 * time, so transfers are accepted again as soon as space is freed.
 *
 * A transfer claims space before it writes, in slices as large as what has already arrived, up to 64 MiB. A client that
 * declares a large file but sends none of it therefore takes no space from other clients.
 */
export function createFreeSpace({
  layout,
  reservedBytes,
  reservedFiles,
}: {
  layout: Pick<LocalLayout, 'root' | 'writing'>
  reservedBytes: number | undefined
  reservedFiles: number | undefined
}): FreeSpace {
  let pendingBytes = 0

  /** Adds `claimedBytes` to the pending bytes if the disk has room for `sizeBytes`. */
  const requireSpace = async (sizeBytes: number, claimedBytes: number): Promise<void> => {
    const disk = await layout.writing(() => statfs(layout.root))
    // File systems that create inodes on demand, such as Btrfs, report none.
    const reservedInodes = reservedFiles ?? Math.min(disk.files * 0.05, maxReservedFiles)
    if (disk.files > 0 && disk.ffree < reservedInodes) throw outOfFiles()
    const reserved = reservedBytes ?? Math.max(disk.blocks * disk.bsize * 0.05, 512 * 1024 * 1024)
    if (disk.bavail * disk.bsize - pendingBytes - sizeBytes < reserved) throw outOfSpace()
    pendingBytes += claimedBytes
  }

  return {
    async claim(sizeBytes) {
      await requireSpace(sizeBytes, 0)
      let claimedBytes = 0
      let writtenBytes = 0
      return {
        async extend(nextBytes) {
          const neededBytes = writtenBytes + nextBytes
          if (neededBytes > claimedBytes) {
            const sliceBytes = Math.min(Math.max(neededBytes, minSliceBytes), maxSliceBytes)
            const endBytes = Math.max(Math.min(neededBytes + sliceBytes, sizeBytes), neededBytes)
            await requireSpace(endBytes - claimedBytes, endBytes - claimedBytes)
            claimedBytes = endBytes
          }
          writtenBytes = neededBytes
          pendingBytes -= nextBytes
        },
        release() {
          pendingBytes -= claimedBytes - writtenBytes
          claimedBytes = writtenBytes
        },
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

const outOfFiles = (): Problem =>
  new Problem(
    'out_of_space',
    'storage.out_of_files',
    'The file system of the server has too few free inodes to store this file. Delete some files, then try again.',
  )
