import type { Limit } from '../../lib/concurrency.ts'
import { minBlockBytes, type BlockMemory } from '../block-memory.ts'
import type { ByteRange } from '../driver.ts'
import type { RangeBytes } from './multipart-ranges.ts'
import { freeMemory } from './request-body.ts'

/** Up to this size, reading the bytes between two ranges takes less time than another request. */
const maxGapBytes = 64 * 1024
const maxBlocksAhead = 4

/** What a download needs to read blocks, and shares with other downloads. */
export type BlockSupply = { memory: BlockMemory; limitReads: Limit }

type Slice = ByteRange & { index: number }
type Block = ByteRange & { slices: Slice[] }
type PendingBlock = { block: Block; bytes: Promise<Buffer>; release: () => void }

/**
 * Reads ranges of an object in the given order. A block is in memory while it is sent, so that a slow client does not
 * occupy a connection to the store. Ranges that follow each other closely are read together, and up to four blocks are
 * read in advance while memory is free, because each call of a store takes milliseconds. The bytes are valid until the
 * next ones are requested.
 */
export async function* readBlocks(
  ranges: ByteRange[],
  read: (range: ByteRange) => AsyncIterable<Uint8Array>,
  { memory, limitReads }: BlockSupply,
): AsyncGenerator<RangeBytes> {
  const blocks = planBlocks(ranges, () => memory.blockBytes())
  const pending: PendingBlock[] = []
  const readNext = (): void => {
    const next = blocks.next()
    if (next.done === true) return
    const sizeBytes = next.value.end - next.value.start + 1
    memory.hold(sizeBytes)
    const bytes = limitReads(() => collect(next.value, read))
    // An error is thrown once the block is needed.
    bytes.catch(() => undefined)
    pending.push({ block: next.value, bytes, release: () => memory.release(sizeBytes) })
  }
  const hasRoom = () => memory.blockBytes() > minBlockBytes
  try {
    for (;;) {
      if (pending.length === 0) readNext()
      for (let reads = pending.length; reads <= maxBlocksAhead && hasRoom(); reads++) readNext()
      const next = pending[0]
      if (next === undefined) return
      const bytes = await next.bytes
      for (const { index, start, end } of next.block.slices)
        yield { index, bytes: bytes.subarray(start - next.block.start, end + 1 - next.block.start) }
      freeMemory(bytes)
      next.release()
      pending.shift()
    }
  } finally {
    // A block that is still being read occupies memory until then.
    for (const { bytes, release } of pending) void bytes.then(release, release)
  }
}

/** Divides the ranges into blocks, each of which contains slices of consecutive ranges. */
function* planBlocks(ranges: ByteRange[], maxBytes: () => number): Generator<Block, void, undefined> {
  let block: Block | undefined
  let maxBlockBytes = 0
  for (const [index, range] of ranges.entries())
    for (let start = range.start; start <= range.end;) {
      const isNear = block !== undefined && start > block.end && start - block.end - 1 <= maxGapBytes
      if (block !== undefined && (!isNear || start - block.start >= maxBlockBytes)) {
        yield block
        block = undefined
      }
      if (block === undefined) {
        block = { start, end: start, slices: [] }
        maxBlockBytes = maxBytes()
      }
      const end = Math.min(range.end, block.start + maxBlockBytes - 1)
      block.slices.push({ index, start, end })
      block.end = end
      start = end + 1
    }
  if (block !== undefined) yield block
}

async function collect(
  { start, end }: ByteRange,
  read: (range: ByteRange) => AsyncIterable<Uint8Array>,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start + 1)
  let length = 0
  for await (const chunk of read({ start, end })) {
    bytes.set(chunk, length)
    length += chunk.length
  }
  if (length !== bytes.length) throw new Error(`read ${length} of ${bytes.length} bytes`)
  return bytes
}
