import { md4OfWords } from '../../../crypto/md4.ts'

/** How a control file describes a file: the size of its blocks, and the lengths of the checksums of each block. */
export type BlockLayout = { blockBytes: number; matches: number; rollingBytes: number; strongBytes: number }

/** Returns the layout that zsyncmake 0.6.2 (make.c) chooses for a file of this size. */
export function layoutFor(sizeBytes: number): BlockLayout {
  const blockBytes = sizeBytes < 100_000_000 ? 2048 : 4096
  const matches = sizeBytes > blockBytes ? 2 : 1
  const logSize = Math.log2(Math.max(sizeBytes, 1))
  const logBlocks = Math.log2(1 + Math.floor(sizeBytes / blockBytes))
  const rolling = Math.ceil((logSize + Math.log2(blockBytes) - 8.6) / matches / 8)
  const strong = Math.ceil((20 + logSize + logBlocks) / matches / 8)
  return {
    blockBytes,
    matches,
    rollingBytes: Math.min(Math.max(rolling, 2), 4),
    strongBytes: Math.max(strong, Math.floor((7.9 + 20 + logBlocks) / 8)),
  }
}

/** Returns the checksums of the blocks of a file, as a control file contains them. */
export async function blockSums(
  chunks: AsyncIterable<Uint8Array>,
  { blockBytes, rollingBytes, strongBytes }: BlockLayout,
): Promise<Buffer> {
  const block = Buffer.alloc(blockBytes)
  const words = new Int32Array(block.buffer, block.byteOffset, blockBytes / 4)
  const sums: Buffer[] = []
  let filled = 0
  const finishBlock = () => {
    const sum = Buffer.alloc(rollingBytes + strongBytes)
    rollingSum(block).copy(sum, 0, 4 - rollingBytes)
    md4OfWords(words).copy(sum, rollingBytes, 0, strongBytes)
    sums.push(sum)
    filled = 0
  }
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + blockBytes - filled)
      block.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === blockBytes) finishBlock()
    }
  if (filled > 0) {
    block.fill(0, filled)
    finishBlock()
  }
  return Buffer.concat(sums)
}

/** Returns the rolling checksum of a block, which is that of rsync. */
function rollingSum(block: Buffer): Buffer {
  let [first, second] = [0, 0]
  for (const byte of block) {
    first += byte
    second += first
  }
  const sum = Buffer.alloc(4)
  sum.writeUInt16BE(first & 0xffff, 0)
  sum.writeUInt16BE(second & 0xffff, 2)
  return sum
}

type Described = { filename: string; sizeBytes: number; sha1: string; url: string }

/** Returns a control file. The URL is relative to that of the control file. */
export function controlFileOf({ filename, sizeBytes, sha1, url }: Described, sums: Buffer): Buffer {
  const { blockBytes, matches, rollingBytes, strongBytes } = layoutFor(sizeBytes)
  const header = [
    'zsync: 0.6.2',
    // zsync saves the file under this name.
    `Filename: ${filename.replaceAll(/\p{Cc}/gu, '_')}`,
    `Blocksize: ${blockBytes}`,
    `Length: ${sizeBytes}`,
    `Hash-Lengths: ${matches},${rollingBytes},${strongBytes}`,
    `URL: ${url}`,
    `SHA-1: ${sha1}`,
  ]
  return Buffer.concat([Buffer.from(`${header.join('\n')}\n\n`), sums])
}
