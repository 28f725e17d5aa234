import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import {
  ChunkIndexWriter,
  chunkSizesFor,
  InvalidChunkIndex,
  readChunkIndex,
  sectionHeaderBytes,
  sumBytes,
} from './chunk-index.ts'
import { PieceSearch, PieceSummer } from './piece-sums.ts'

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
// The example of docs/chunk-index.md.
const example = Buffer.concat(
  Array.from({ length: 6_400 }, (_, number) => digest(Buffer.from(String(number)))),
)

/** Returns the section of bytes that arrive in buffers of this size. */
function sectionOf(bytes: Buffer, averageBits: number, bufferBytes = bytes.length || 1): Buffer {
  const pieces = new PieceSummer(bytes.length, averageBits, crc32)
  for (let start = 0; start < bytes.length; start += bufferBytes)
    pieces.push(bytes.subarray(start, start + bufferBytes))
  return Buffer.from(pieces.finish())
}

/** Returns the positions of the pieces of `bytes` in `local`, by their numbers. */
function findPieces(bytes: Buffer, local: Buffer, averageBits: number): Map<number, number> {
  const sums = sectionOf(bytes, averageBits).subarray(sectionHeaderBytes)
  const search = new PieceSearch(2 ** (averageBits - 4), sums.length / sumBytes, crc32)
  search.add(0, sums)
  const found = new Map<number, number>()
  search.search(local, (piece, position) => found.set(piece, position))
  return found
}

test('finds all pieces of 512 bytes between random insertions', () => {
  const bytes = example.subarray(0, 20_000)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: bytes.length }), fc.uint8Array({ minLength: 1, maxLength: 300 })), {
        maxLength: 4,
      }),
      fc.integer({ min: 1, max: 3000 }),
      (insertions, bufferBytes) => {
        assert.deepEqual(sectionOf(bytes, 13, bufferBytes), sectionOf(bytes, 13))
        let local = bytes
        for (const [at, inserted] of insertions.toSorted(([left], [right]) => right - left))
          local = Buffer.concat([local.subarray(0, at), inserted, local.subarray(at)])
        const found = findPieces(bytes, local, 13)
        for (const [piece, position] of found)
          assert.ok(
            local.subarray(position, position + 512).equals(bytes.subarray(piece * 512, (piece + 1) * 512)),
          )
        const count = Math.floor(bytes.length / 512)
        assert.ok(found.size >= count - insertions.length, `${found.size} of ${count}`)
      },
    ),
    { numRuns: 20 },
  )
})

test('computes and finds the pieces of the example of docs/chunk-index.md', () => {
  const section = sectionOf(example, 16)
  const sumsOf = (piece: number) =>
    [0, 4].map((at) => section.readUInt32LE(sectionHeaderBytes + piece * sumBytes + at).toString(16))
  assert.deepEqual(sumsOf(0), ['9c1c2481', '46c7c150'])
  assert.deepEqual(sumsOf(49), ['bd810a6a', '159906d1'])
  assert.equal(section.length, sectionHeaderBytes + 50 * sumBytes)
  const local = Buffer.concat([example.subarray(0, 100_000), example.subarray(101_000)])
  const found = findPieces(example, local, 16)
  assert.deepEqual(
    Array.from({ length: 50 }, (_, piece) => piece).filter((piece) => !found.has(piece)),
    [24],
  )
})

test('rejects a section whose sizes do not match the file, and ignores other sections', () => {
  const sizes = chunkSizesFor(10_000)
  const writer = new ChunkIndexWriter(sizes)
  writer.add(10_000, digest(example))
  const indexWith = (change: (section: Buffer) => void) => {
    const section = sectionOf(example.subarray(0, 10_000), 16)
    change(section)
    return writer.finish(digest(example), section)
  }
  assert.deepEqual(readChunkIndex(indexWith(() => {})).pieces, { pieceBytes: 4096, count: 2, start: 120 })
  assert.equal(readChunkIndex(indexWith((section) => void section.write('OTHR'))).pieces, undefined)
  const changes: ((section: Buffer) => void)[] = [
    (section) => void section.writeBigUInt64LE(2n ** 60n, 4),
    (section) => void section.writeUInt32LE(0, 12),
    (section) => void section.writeUInt32LE(1, 12),
    (section) => void section.writeUInt32LE(0xffffffff, 12),
  ]
  for (const change of changes) assert.throws(() => readChunkIndex(indexWith(change)), InvalidChunkIndex)
})

test('ends a search in which checksums match too often without a piece', () => {
  const sums = Buffer.alloc(sumBytes)
  sums.writeUInt32LE(1, 4)
  const search = new PieceSearch(512, 1, crc32)
  search.add(0, sums)
  search.search(Buffer.alloc(300_000), () => assert.fail('the CRC-32 differs'))
})
