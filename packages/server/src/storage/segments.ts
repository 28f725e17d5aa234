import type { ByteRange, SealedObject } from './driver.ts'

/** A run of bytes within one segment. */
export type Piece = { name: string; position: number; lengthBytes: number }

/** Where the bytes of a range lie; none for an empty object. */
export function piecesOf({ segments, sizeBytes }: SealedObject, range?: ByteRange): Piece[] {
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  const pieces: Piece[] = []
  let offset = 0
  for (const segment of segments) {
    const position = Math.max(start - offset, 0)
    const lengthBytes = Math.min(end + 1 - offset, segment.sizeBytes) - position
    if (lengthBytes > 0) pieces.push({ name: segment.name, position, lengthBytes })
    offset += segment.sizeBytes
  }
  return pieces
}
