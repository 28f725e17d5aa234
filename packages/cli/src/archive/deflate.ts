import { Deflate } from 'pako'
import { Failure } from '../failure.ts'

/** Ends a stream of pieces: an empty final block. */
export const streamEnd = Buffer.from([3, 0])

/** Levels above 4 took up to 1.6 times as long and made the archive of an executable 2 % smaller. */
const level = 4
/** Z_FULL_FLUSH: the output ends at a byte boundary, and later pieces do not refer to earlier ones. */
const fullFlush = 3

/**
 * Deflates a piece of a stream. Pieces are independent of each other, so that each can be deflated again on its own. The
 * bytes do not depend on the version of Node or the processor, unlike those of node:zlib.
 */
export function deflatePiece(bytes: Uint8Array): Buffer {
  const deflate = new Deflate({ raw: true, level, chunkSize: bytes.length + 1024 })
  if (!deflate.push(bytes, fullFlush)) throw new Failure('failed', `Cannot deflate: ${deflate.msg}`)
  return Buffer.concat(deflate.chunks)
}
