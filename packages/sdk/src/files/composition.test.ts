import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkIndex } from './chunk-index.ts'
import { CompositionPlanner, newRangesOf } from './composition.ts'

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
