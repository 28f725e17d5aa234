import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  chunkSizesFor,
  ChunkIndexWriter,
  InvalidChunkIndex,
  maxChunkIndexBytes,
  readChunkIndex,
} from './chunk-index.ts'
import type { ChunkIndex } from './chunk-index.ts'
import { ContentCutter, cutContent } from './content-cutter.ts'

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const sizes = chunkSizesFor(0)

/** Returns bytes of a fixed sequence, which do not repeat. */
function noise(sizeBytes: number, seed: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes)
  let state = seed | 1
  for (let at = 0; at < sizeBytes; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    bytes[at] = state >>> 24
  }
  return bytes
}

/** Cuts bytes that arrive in buffers of this size, and returns their index. */
function indexOf(bytes: Buffer, bufferBytes = bytes.length || 1): Uint8Array {
  const writer = new ChunkIndexWriter(sizes)
  const cutter = new ContentCutter(sizes, (chunk) => writer.add(chunk.length, digest(chunk)))
  for (let start = 0; start < bytes.length; start += bufferBytes)
    cutter.push(bytes.subarray(start, start + bufferBytes))
  cutter.end()
  return writer.finish(digest(bytes))
}

/** Restores a file from its index, chunks of other files and, where they lack one, its own bytes. */
function restore({ chunks }: ChunkIndex, old: Buffer, own: Buffer): { bytes: Buffer; fetchedBytes: number } {
  const known = new Map<string, Buffer>()
  for (const { start, sizeBytes, sha256 } of readChunkIndex(indexOf(old)).chunks)
    known.set(sha256, old.subarray(start, start + sizeBytes))
  let fetchedBytes = 0
  const bytes = Buffer.concat(
    chunks.map(({ start, sizeBytes, sha256 }) => {
      const found = known.get(sha256)
      if (found === undefined) fetchedBytes += sizeBytes
      return found ?? own.subarray(start, start + sizeBytes)
    }),
  )
  return { bytes, fetchedBytes }
}

test('restores a file after blocks were inserted, deleted, moved and repeated', () => {
  const old = noise(1_500_000, 5)
  const position = fc.integer({ min: 0, max: old.length })
  const kinds = ['insert', 'delete', 'move', 'repeat'] as const
  const edit = fc.record({ kind: fc.constantFrom(...kinds), from: position, to: position, seed: fc.nat() })
  fc.assert(
    fc.property(
      fc.array(edit, { maxLength: 4 }),
      fc.integer({ min: 1, max: 400_000 }),
      (edits, bufferBytes) => {
        let changed = old
        let insertedBytes = 0
        for (const { kind, seed, ...ends } of edits) {
          const [from, to] = [Math.min(ends.from, ends.to), Math.max(ends.from, ends.to)]
          const [head, block, tail] = [
            changed.subarray(0, from),
            changed.subarray(from, to),
            changed.subarray(to),
          ]
          const inserted = kind === 'insert' ? noise(seed % 50_000, seed) : Buffer.alloc(0)
          insertedBytes += inserted.length
          const parts = {
            insert: [head, inserted, block, tail],
            delete: [head, tail],
            move: [block, head, tail],
            repeat: [head, block, block, tail],
          }
          changed = Buffer.concat(parts[kind])
        }
        const bytes = indexOf(changed, bufferBytes)
        assert.deepEqual(bytes, indexOf(changed))
        const index = readChunkIndex(bytes)
        assert.equal(index.fileSha256, digest(changed).toString('hex'))
        const restored = restore(index, old, changed)
        assert.ok(restored.bytes.equals(changed))
        // Each edit has at most three seams, and each seam changes the chunk that it is in and up to two more.
        assert.ok(restored.fetchedBytes <= insertedBytes + edits.length * 9 * sizes.maxBytes)
      },
    ),
    { numRuns: 15 },
  )
})

test('yields the same pieces as cutContent, whatever the sizes of the buffers', () => {
  const bytes = noise(2_000_000, 9)
  const lengths = readChunkIndex(indexOf(bytes, 70_001)).chunks.map(({ sizeBytes }) => sizeBytes)
  const expected: number[] = []
  for (let start = 0; start < bytes.length; start += expected.at(-1) ?? 0)
    expected.push(cutContent(bytes.subarray(start), sizes))
  assert.deepEqual(lengths, expected)
})

test('describes an empty file and one that consists of a single chunk', () => {
  assert.deepEqual(readChunkIndex(indexOf(Buffer.alloc(0))).chunks, [])
  assert.equal(readChunkIndex(indexOf(Buffer.from('one'))).chunks.length, 1)
})

test('keeps the index of large files small', () => {
  assert.equal(chunkSizesFor(16 * 2 ** 30).averageBits, 16)
  assert.equal(chunkSizesFor(16 * 2 ** 30 + 1).averageBits, 17)
  for (const fileBytes of [2 ** 20, 2 ** 30, 100e9, 500e9]) {
    const { averageBits } = chunkSizesFor(fileBytes)
    assert.ok((36 * fileBytes) / 2 ** averageBits <= 10e6, `${fileBytes} bytes`)
  }
})

test('ignores sections that a later version adds', () => {
  const index = indexOf(noise(500_000, 3))
  const extended = Buffer.concat([index, Buffer.from('ENTR\u0004\0\0\0\0\0\0\0more')])
  assert.deepEqual(readChunkIndex(extended), readChunkIndex(index))
})

test('rejects an index whose chunks do not describe a file', () => {
  const valid = Buffer.from(indexOf(noise(500_000, 3)))
  const changes: [string, (index: Buffer) => Buffer | void][] = [
    ['no magic', (index) => void index.writeUInt8(0, 0)],
    ['another version', (index) => void index.writeUInt8(2, 4)],
    ['another hash', (index) => void index.writeUInt8(2, 5)],
    ['another cutter', (index) => void index.writeUInt8(2, 6)],
    ['an average below the minimum', (index) => void index.writeUInt8(3, 7)],
    ['chunks of one byte', (index) => void index.writeUInt32LE(1, 8)],
    ['chunks of 4 GB', (index) => void index.writeUInt32LE(0xffffffff, 12)],
    ['another file size', (index) => void index.writeBigUInt64LE(2n ** 63n, 16)],
    ['too many chunks', (index) => void index.writeUInt32LE(0xffffffff, 56)],
    ['too few chunks', (index) => void index.writeUInt32LE(1, 56)],
    ['an empty chunk', (index) => void index.writeUInt32LE(0, 64)],
    ['a chunk above the maximum', (index) => void index.writeUInt32LE(2 ** 18 + 1, 64)],
    ['a truncated entry', (index) => index.subarray(0, index.length - 1)],
    ['a truncated header', (index) => index.subarray(0, 63)],
  ]
  for (const [name, change] of changes) {
    const copy = Buffer.from(valid)
    assert.throws(() => readChunkIndex(change(copy) ?? copy), InvalidChunkIndex, name)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.throws(() => readChunkIndex(Buffer.concat([valid.subarray(0, 8), bytes])), InvalidChunkIndex)
    }),
  )
})

test('bounds the size of an index by the size of its file', () => {
  const bytes = noise(400_000, 7)
  assert.ok(indexOf(bytes).length <= maxChunkIndexBytes(bytes.length))
})

test('cuts the example of docs/chunk-index.md as it says', () => {
  const digests = Array.from({ length: 6_400 }, (_, number) => digest(Buffer.from(String(number))))
  const bytes = Buffer.concat(digests)
  const { chunks, fileSha256 } = readChunkIndex(indexOf(bytes))
  assert.deepEqual(
    chunks.map(({ start, sizeBytes, sha256 }) => [start, sizeBytes, sha256.slice(0, 16)]),
    [
      [0, 94_603, '96b82ef49525bc49'],
      [94_603, 109_756, '325a09ab0333e842'],
      [204_359, 441, '9deed4739b7673e1'],
    ],
  )
  assert.equal(fileSha256.slice(0, 16), 'cf615863922d74ce')
  const local = readChunkIndex(indexOf(Buffer.concat([bytes.subarray(0, 100_000), bytes.subarray(101_000)])))
  assert.deepEqual(
    local.chunks.map(({ start, sha256 }) => [start, chunks.findIndex((chunk) => chunk.sha256 === sha256)]),
    [
      [0, 0],
      [94_603, -1],
      [203_359, 2],
    ],
  )
})
