/**
 * Decompresses a block in LZ4 format (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md). Throws a RangeError if
 * it is damaged or longer than `maxBytes` after decompression.
 */
export function decompressLz4(block: Buffer, maxBytes: number): Buffer {
  const output = Buffer.alloc(maxBytes)
  let [at, length] = [0, 0]
  const readLength = (initial: number): number => {
    let value = initial
    for (let byte = initial === 15 ? 255 : 0; byte === 255; value += byte) byte = block.readUInt8(at++)
    return value
  }
  while (at < block.length) {
    const token = block.readUInt8(at++)
    const literals = readLength(token >> 4)
    if (at + literals > block.length || length + literals > maxBytes)
      throw new RangeError('The block is damaged.')
    length += block.copy(output, length, at, at + literals)
    at += literals
    // The last sequence consists of literals only.
    if (at === block.length) break
    const distance = block.readUInt16LE(at)
    at += 2
    length = copyMatch(output, length, distance, readLength(token & 15) + 4)
  }
  return output.subarray(0, length)
}

/** Copies earlier output, which can overlap with the copy, and returns the new length. */
export function copyMatch(output: Buffer, length: number, distance: number, count: number): number {
  if (distance === 0 || distance > length || length + count > output.length)
    throw new RangeError('The block is damaged.')
  for (let index = 0; index < count; index++) output[length + index] = output[length + index - distance] ?? 0
  return length + count
}
