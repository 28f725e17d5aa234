import { statfs } from 'node:fs/promises'
import type { DiskReserve } from '../../config/files.ts'
import { problem, type Problem } from '../../lib/problem.ts'
import { sizeString } from '../../lib/sizes.ts'
import type { LocalLayout } from '../local/local-layout.ts'

/** Disk space claimed for one transfer. */
export type SpaceClaim = {
  /**
   * Claims space for the next `sizeBytes` bytes and must be called before they are written. Throws `out_of_space` if
   * the disk has no room for them.
   */
  extend(sizeBytes: number): Promise<void>
  /** Releases the space that was claimed but not written. */
  release(): void
}

/** The size of a disk and the part of it that uploads can still use. */
export type Capacity = { sizeBytes: number; usableBytes: number }

export type FreeSpace = {
  /** Returns the capacity of the disk. */
  measure(): Promise<Capacity>
  /** Throws `out_of_space` if the disk currently has no room for this many bytes. */
  require(sizeBytes: number): Promise<void>
  /** Throws `out_of_space` if the disk currently has no room for the whole transfer. */
  claim(sizeBytes: number): Promise<SpaceClaim>
}

const minSliceBytes = 64 * 1024
const maxSliceBytes = 64 * 1024 * 1024
const maxReservedFiles = 10_000
const defaultReservePercent = 5
const minDefaultReserveBytes = 512 * 1024 * 1024
const maxDefaultReserveBytes = 20 * 1024 ** 3

/**
 * Creates the check that reserves disk space for the database: by default 5% of the disk, between 512 MiB and 20 GiB,
 * and 5% of the inodes, at most 10,000. The check throws `out_of_space` for a transfer that would use reserved space. It
 * reads the current free space each time, so transfers are accepted again as soon as space is freed.
 */
export function createFreeSpace({
  layout,
  reserve,
  reservedFiles,
}: {
  layout: Pick<LocalLayout, 'root' | 'writing'>
  reserve: DiskReserve | undefined
  reservedFiles: number | undefined
}): FreeSpace {
  let pendingBytes = 0

  /**
   * Throws `out_of_space` unless the disk has room for `sizeBytes` bytes; otherwise adds `claimedBytes` to the pending
   * bytes.
   */
  const requireSpace = async (sizeBytes: number, claimedBytes: number): Promise<void> => {
    const disk = await layout.writing(() => statfs(layout.root))
    // File systems that create inodes on demand, such as Btrfs, report none.
    const reservedInodes = reservedFiles ?? Math.min(disk.files * 0.05, maxReservedFiles)
    if (disk.files > 0 && disk.ffree < reservedInodes) throw outOfFiles()
    const freeBytes = disk.bavail * disk.bsize - pendingBytes
    const reservedBytes = reservedBytesOf(disk.blocks * disk.bsize, reserve)
    if (freeBytes - sizeBytes < reservedBytes) throw tooLarge({ sizeBytes, freeBytes, reservedBytes })
    pendingBytes += claimedBytes
  }

  return {
    async measure() {
      const disk = await statfs(layout.root)
      const sizeBytes = disk.blocks * disk.bsize
      const freeBytes = disk.bavail * disk.bsize - pendingBytes
      return {
        sizeBytes,
        usableBytes: Math.max(0, Math.floor(freeBytes - reservedBytesOf(sizeBytes, reserve))),
      }
    },

    require: (sizeBytes) => requireSpace(sizeBytes, 0),

    async claim(sizeBytes) {
      await requireSpace(sizeBytes, 0)
      return startClaim(sizeBytes, {
        reserve: (bytes) => requireSpace(bytes, bytes),
        settle: (bytes) => {
          pendingBytes -= bytes
        },
      })
    },
  }
}

type Reservations = {
  /** Throws `out_of_space` if the disk has no room for more bytes; otherwise reserves space for them. */
  reserve: (sizeBytes: number) => Promise<void>
  /** Ends the reservation of bytes that were written or will not be written. */
  settle: (sizeBytes: number) => void
}

/** Starts a claim without space, which is extended in slices while the bytes of a transfer arrive. */
function startClaim(sizeBytes: number, { reserve, settle }: Reservations): SpaceClaim {
  let claimedBytes = 0
  let writtenBytes = 0
  return {
    async extend(nextBytes) {
      const neededBytes = writtenBytes + nextBytes
      if (neededBytes > claimedBytes) {
        // A slice is as large as the bytes that have arrived. A client that declares a large file but sends none of it
        // therefore claims no space that other clients need.
        const sliceBytes = Math.min(Math.max(neededBytes, minSliceBytes), maxSliceBytes)
        const endBytes = Math.max(Math.min(neededBytes + sliceBytes, sizeBytes), neededBytes)
        await reserve(endBytes - claimedBytes)
        claimedBytes = endBytes
      }
      writtenBytes = neededBytes
      settle(nextBytes)
    },
    release() {
      settle(claimedBytes - writtenBytes)
      claimedBytes = writtenBytes
    },
  }
}

/** Returns the number of bytes that uploads must leave free on a disk of this size. */
export function reservedBytesOf(diskBytes: number, reserve: DiskReserve | undefined): number {
  if (reserve === undefined) {
    const bytes = (diskBytes * defaultReservePercent) / 100
    return Math.min(Math.max(bytes, minDefaultReserveBytes), maxDefaultReserveBytes)
  }
  return 'bytes' in reserve ? reserve.bytes : (diskBytes * reserve.percent) / 100
}

function tooLarge(found: { sizeBytes: number; freeBytes: number; reservedBytes: number }): Problem {
  const sizeOf = (bytes: number): string => sizeString(Math.max(0, Math.round(bytes)))
  return tooLittleSpace({
    size: sizeOf(found.sizeBytes),
    free: sizeOf(found.freeBytes),
    reserved: sizeOf(found.reservedBytes),
  })
}

const tooLittleSpace = problem(
  'out_of_space',
  'storage.out_of_space',
  'The upload needs {size}, but the disk of the server has {free} free, of which {reserved} are reserved (QUAYSIDE_DISK_RESERVE). Delete builds or free some space, then try again.',
)

/** Returns the error for a disk or quota that was full when bytes were written. */
export const outOfSpace = problem(
  'out_of_space',
  'storage.out_of_space',
  'There is not enough disk space on the server to store this file. Free some space, then try again.',
)

const outOfFiles = problem(
  'out_of_space',
  'storage.out_of_files',
  'The file system of the server has too few free inodes to store this file. Delete some files, then try again.',
)

/** The errors of every endpoint that stores a file. */
export const spaceProblems = [tooLittleSpace, outOfSpace, outOfFiles]
