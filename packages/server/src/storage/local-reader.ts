import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Piece } from './segments.ts'
import type { Slab, SlabPool } from './slabs.ts'

/** The first `length` bytes of a slab. */
export type FilledSlab = Slab & { length: number }

/**
 * The bytes of the pieces in order. A slab is good until the next one is asked for: while the caller sends it, the
 * next is read into a second one. Throws rather than end short; files are closed however it ends.
 */
export async function* readPieces(
  folder: string,
  pieces: Piece[],
  slabs: SlabPool,
): AsyncGenerator<FilledSlab, void, undefined> {
  const wantedBytes = pieces.reduce((sum, piece) => sum + piece.lengthBytes, 0)
  const taken: Slab[] = []
  let turn = 0
  const nextSlab = (): Slab => {
    turn = 1 - turn
    return (taken[turn] ??= slabs.take(wantedBytes))
  }
  try {
    for (const piece of pieces) {
      const file = await open(join(folder, piece.name), 'r')
      let reading = read(file, nextSlab(), piece, 0)
      try {
        for (let done = 0; done < piece.lengthBytes;) {
          const slab = await reading
          done += slab.length
          if (done < piece.lengthBytes) {
            reading = read(file, nextSlab(), piece, done)
            // Met by the next turn; without a handler a failure meanwhile would end the process.
            reading.catch(() => undefined)
          }
          yield slab
        }
      } finally {
        // A read under way still writes into its slab and needs its file.
        await Promise.allSettled([reading])
        await file.close()
      }
    }
  } finally {
    for (const slab of taken) if (slab !== undefined) slabs.give(slab)
  }
}

async function read(file: FileHandle, slab: Slab, piece: Piece, done: number): Promise<FilledSlab> {
  const wanted = Math.min(slab.bytes.length, piece.lengthBytes - done)
  const { bytesRead } = await file.read(slab.bytes, 0, wanted, piece.position + done)
  if (bytesRead === 0) throw new Error(`stored file ${piece.name} is shorter than it was when it was sealed`)
  return { ...slab, length: bytesRead }
}
