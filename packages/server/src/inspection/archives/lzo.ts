import { copyMatch } from './lz4.ts'

/**
 * Decompresses a block in LZO1X format (https://docs.kernel.org/staging/lzo.html). Throws a RangeError if it is damaged or
 * longer than `maxBytes` after decompression.
 */
export function decompressLzo(block: Buffer, maxBytes: number): Buffer {
  const output = Buffer.alloc(maxBytes)
  let [at, length] = [0, 0]
  const copyLiterals = (count: number) => {
    if (at + count > block.length || length + count > maxBytes) throw new RangeError('The block is damaged.')
    length += block.copy(output, length, at, at + count)
    at += count
  }
  /** Reads the rest of a length whose bits in the instruction are 0: 255 for each zero byte, and the next byte. */
  const readLength = (bits: number, mask: number): number => {
    if (bits !== 0) return bits
    let value = mask
    for (let byte = block.readUInt8(at++); ; byte = block.readUInt8(at++)) {
      value += byte === 0 ? 255 : byte
      if (byte !== 0) return value
    }
  }
  // The number of literals that the previous instruction copied: 0 to 3, or 4 for more.
  let state = 0
  const first = block.readUInt8(0)
  if (first > 17) {
    at = 1
    copyLiterals(first - 17)
    state = Math.min(first - 17, 4)
  }
  for (;;) {
    const code = block.readUInt8(at++)
    if (code < 16 && state === 0) {
      copyLiterals(readLength(code, 15) + 3)
      state = 4
      continue
    }
    let literals = code & 3
    if (code >= 64) {
      const distance = (block.readUInt8(at++) << 3) + ((code >> 2) & 7) + 1
      length = copyMatch(output, length, distance, (code >> 5) + 1)
    } else if (code < 16) {
      const distance = (block.readUInt8(at++) << 2) + (code >> 2) + (state === 4 ? 2049 : 1)
      length = copyMatch(output, length, distance, state === 4 ? 3 : 2)
    } else {
      const isNear = code >= 32
      const count = isNear ? readLength(code & 31, 31) + 2 : readLength(code & 7, 7) + 2
      const word = block.readUInt16LE(at)
      at += 2
      const far = isNear ? 1 : 16_384 + ((code & 8) << 11)
      const distance = far + (word >> 2)
      // This distance marks the end of the block.
      if (!isNear && distance === 16_384) return output.subarray(0, length)
      literals = word & 3
      length = copyMatch(output, length, distance, count)
    }
    copyLiterals(literals)
    state = literals
  }
}
