import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { ChunkIndexWriter, readChunkIndex, sectionHeaderBytes, sumBytes } from './chunk-index.ts'
import type { ChunkIndex } from './chunk-index.ts'
import { CompositionPlanner, newRangesOf } from './composition.ts'
import type { ComposedRange, FoundPiece } from './composition.ts'
import { ContentCutter } from './content-cutter.ts'
import { PieceSearch, PieceSummer } from './piece-sums.ts'

/** Returns the index of a file with chunks of 10 bytes, whose checksums are the letters of a text. */
const indexOf = (letters: string): ChunkIndex => ({
  sizes: { minBytes: 4096, averageBits: 16, maxBytes: 262_144 },
  fileBytes: letters.length * 10,
  fileSha256: '',
  pieces: undefined,
  chunks: Array.from(letters, (sha256, index) => ({ start: index * 10, sizeBytes: 10, sha256 })),
})

function plan(local: string, files: string[], maxRanges?: number) {
  const planner = new CompositionPlanner(
    files.map((letters, index) => ({ fileId: `f${index}`, index: indexOf(letters) })),
  )
  for (const letter of local) planner.add(10, letter)
  return planner.finish(maxRanges)
}

test('joins chunks that follow each other in the same file', () => {
  assert.deepEqual(plan('abxcd', ['abcd']), [
    { file_id: 'f0', offset: 0, size_bytes: 20 },
    { size_bytes: 10 },
    { file_id: 'f0', offset: 20, size_bytes: 20 },
  ])
  assert.deepEqual(plan('abab', ['abab']), [{ file_id: 'f0', offset: 0, size_bytes: 40 }])
  assert.deepEqual(plan('xy', ['ab']), [{ size_bytes: 20 }])
  assert.deepEqual(plan('', ['ab']), [])
})

test('prefers the first file, and continues in the file of the previous chunk', () => {
  assert.deepEqual(plan('acde', ['ac', 'bcde']), [
    { file_id: 'f0', offset: 0, size_bytes: 20 },
    { file_id: 'f1', offset: 20, size_bytes: 20 },
  ])
  assert.deepEqual(plan('bc', ['c', 'bc']), [{ file_id: 'f1', offset: 0, size_bytes: 20 }])
})

test('sends the shortest ranges if there are too many', () => {
  const letters = 'a1bb2c3ddd4e'
  for (const maxRanges of [8, 5, 3, 2, 1]) {
    const ranges = plan(letters, ['a.bb.c.ddd.e'], maxRanges)
    assert.ok(ranges.length <= maxRanges, `${ranges.length}`)
    assert.equal(
      ranges.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
      120,
    )
  }
  assert.deepEqual(plan(letters, ['a.bb.c.ddd.e'], 3), [
    { size_bytes: 70 },
    { file_id: 'f0', offset: 70, size_bytes: 30 },
    { size_bytes: 20 },
  ])
})

test('returns the ranges that are sent', () => {
  assert.deepEqual(newRangesOf(plan('xaybz', ['ab'])), [
    { start: 0, sizeBytes: 10 },
    { start: 20, sizeBytes: 10 },
    { start: 40, sizeBytes: 10 },
  ])
})

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes)

/** Plans a composition of `local` from `files`, with pieces. */
function planBytes(local: Buffer, files: Buffer[]) {
  const sources = files.map((bytes, index) => ({ fileId: `f${index}`, ...indexBytes(bytes) }))
  const planner = new CompositionPlanner(sources)
  const cutter = new ContentCutter(sizes, (chunk) => planner.add(chunk.length, digest(chunk).digest('hex')))
  cutter.push(local)
  cutter.end()
  const chunksOnly = planner.finish()
  for (const [file, { sums }] of sources.entries()) {
    const search = new PieceSearch(pieceBytes, sums.length / sumBytes, crc32)
    for (const { start, sizeBytes } of planner.chunksToSearch(file)) {
      const first = Math.floor(start / pieceBytes)
      search.add(
        first,
        sums.subarray(first * sumBytes, Math.ceil((start + sizeBytes) / pieceBytes) * sumBytes),
      )
    }
    const found: FoundPiece[] = []
    for (const { start, sizeBytes } of planner.newRanges()) {
      const from = Math.max(0, start - pieceBytes + 1)
      search.search(local.subarray(from, start + sizeBytes + pieceBytes - 1), (piece, position) =>
        found.push({ piece, position: from + position }),
      )
    }
    planner.addPieces(file, found)
  }
  return { planner, chunksOnly, ranges: planner.finish() }
}

const sizes = { minBytes: 4096, averageBits: 13, maxBytes: 32_768 }
const pieceBytes = 512

function indexBytes(bytes: Buffer) {
  const writer = new ChunkIndexWriter(sizes)
  const cutter = new ContentCutter(sizes, (chunk) => writer.add(chunk.length, digest(chunk).digest()))
  cutter.push(bytes)
  cutter.end()
  const summer = new PieceSummer(bytes.length, sizes.averageBits, crc32)
  summer.push(bytes)
  const section = Buffer.from(summer.finish())
  const index = readChunkIndex(writer.finish(digest(bytes).digest(), section))
  return { index, sums: section.subarray(sectionHeaderBytes) }
}

function compose(ranges: readonly ComposedRange[], local: Buffer, files: Buffer[]): Buffer {
  let position = 0
  return Buffer.concat(
    ranges.map(({ file_id, offset = 0, size_bytes: sizeBytes }) => {
      const [source, start] =
        file_id === undefined ? [local, position] : [files[Number(file_id.slice(1))], offset]
      position += sizeBytes
      return source?.subarray(start, start + sizeBytes) ?? Buffer.alloc(0)
    }),
  )
}

const newBytesOf = (ranges: readonly ComposedRange[]) =>
  newRangesOf(ranges).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

const example = Buffer.concat(
  Array.from({ length: 8000 }, (_, number) => digest(Buffer.from(`${number}`)).digest()),
)

type Edit = { at: number; removed: number; inserted: Uint8Array }
const edits = fc.array(
  fc.record({
    at: fc.nat({ max: example.length }),
    removed: fc.nat({ max: 3000 }),
    inserted: fc.uint8Array({ maxLength: 3000 }),
  }),
  { maxLength: 6 },
)
const edit = (bytes: Buffer, changes: readonly Edit[]): Buffer => {
  let edited = bytes
  for (const { at, removed, inserted } of changes)
    edited = Buffer.concat([edited.subarray(0, at), inserted, edited.subarray(at + removed)])
  return edited
}

test('composes any edited file, with at most four pieces more than each edit', () => {
  fc.assert(
    fc.property(edits, edits, (changes, others) => {
      const files = [example, edit(example, others)]
      const local = edit(example, changes)
      const { ranges, chunksOnly } = planBytes(local, files)
      assert.ok(compose(ranges, local, files).equals(local))
      assert.ok(newBytesOf(ranges) <= newBytesOf(chunksOnly))
      const inserted = changes.reduce((sum, each) => sum + each.inserted.length, 0)
      const allowed = inserted + 4 * pieceBytes * (changes.length + 1)
      if (newBytesOf(chunksOnly) < local.length)
        assert.ok(newBytesOf(ranges) <= allowed, `${newBytesOf(ranges)} of ${allowed}`)
    }),
    { numRuns: 40 },
  )
})

test('composes zeros that moved of a long range', () => {
  const zeros = Buffer.alloc(20_000)
  const old = Buffer.concat([example.subarray(0, 50_000), zeros, example.subarray(50_000, 100_000)])
  const local = Buffer.concat([
    example.subarray(0, 49_000),
    example.subarray(200_000, 201_000),
    zeros.subarray(100),
    example.subarray(50_000, 100_000),
  ])
  const { ranges } = planBytes(local, [old])
  assert.ok(compose(ranges, local, [old]).equals(local))
  assert.ok(newBytesOf(ranges) <= 1000 + 4 * pieceBytes, `${newBytesOf(ranges)}`)
  assert.ok(ranges.length < 10, `${ranges.length} ranges`)
})

test('searches the chunks beside new ranges first if much was removed', () => {
  const files = [example]
  // The second half is removed, and a few bytes of the first change.
  const local = edit(example.subarray(0, 128_000), [
    { at: 64_000, removed: 20, inserted: new Uint8Array(20) },
  ])
  const { planner, ranges } = planBytes(local, files)
  assert.ok(newBytesOf(ranges) <= 2 * 2 * pieceBytes, `${newBytesOf(ranges)}`)
  const searched = planner.chunksToSearch(0).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  assert.ok(searched < 40_000, `${searched}`)
})
