import assert from 'node:assert/strict'
import { mkdtempDisposable, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cutContent } from '@quayside/sdk/content-cutter'
import { noise, open, readAll, sequence, words, writeFiles } from '../../test/archived-folder.ts'

const chunkSizes = { minBytes: 256, averageBits: 10, maxBytes: 4096 }

/** Cuts bytes by their content, and checks the sizes of the chunks. */
function chunksOf(bytes: Buffer): string[] {
  const chunks: string[] = []
  for (let start = 0; start < bytes.length;) {
    const length = cutContent(bytes.subarray(start), chunkSizes)
    assert.ok(length <= 4096 && (length >= 256 || start + length === bytes.length))
    chunks.push(bytes.subarray(start, start + length).toString('latin1'))
    start += length
  }
  assert.equal(chunks.join(''), bytes.toString('latin1'))
  return chunks
}

/** Returns how many bytes of `changed` are in chunks that `known` does not contain. */
function newBytes(known: Buffer, changed: Buffer): number {
  const chunks = new Set(chunksOf(known))
  return chunksOf(changed).reduce((sum, chunk) => sum + (chunks.has(chunk) ? 0 : chunk.length), 0)
}

/** Inserts, deletes, moves, repeats or swaps a block. */
function change(bytes: Buffer, kind: number, next: () => number): Buffer {
  const positions = [next(), next(), next()].map((value) => Math.floor(value * bytes.length))
  const [from = 0, middle = 0, to = 0] = positions.toSorted((left, right) => left - right)
  const [head, first, second, tail] = [
    bytes.subarray(0, from),
    bytes.subarray(from, middle),
    bytes.subarray(middle, to),
    bytes.subarray(to),
  ] as const
  const kinds = [
    [head, noise(next() * 500, next), first, second, tail],
    [head, second, tail],
    [first, head, second, tail],
    [head, first, first, second, tail],
    [head, second, first, tail],
  ]
  return Buffer.concat(kinds[kind % kinds.length]!)
}

test('cuts content at the same places after blocks are inserted, deleted, moved, repeated and swapped', () => {
  const next = sequence(3)
  for (let round = 0; round < 100; round++) {
    const bytes = noise(40_000 + next() * 20_000, next)
    const fresh = newBytes(bytes, change(bytes, round, next))
    // Each of at most three seams can change the chunk that it is in and the next one.
    assert.ok(fresh <= 500 + 3 * 2 * 4096, `${fresh} new bytes`)
  }
})

test('keeps most bytes of an archive after a change of its files', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quayside-'))
  const build = join(folder.path, 'Build')
  const next = sequence(13)
  const program = words(4_000_000, next)
  const others = { 'data/noise.pak': noise(300_000, next), 'readme.txt': 'Press start.' }
  await writeFiles(build, { 'game.exe': program, ...others })
  const before = await readAll(await open(build))
  for (let kind = 0; kind < 5; kind++) {
    await rm(build, { recursive: true })
    await writeFiles(build, { 'bin/game.exe': change(program, kind, next), 'added.txt': 'new', ...others })
    const after = await readAll(await open(build))
    const fresh = newBytes(before, after)
    // Each of at most three seams changes the piece that it is in and up to two more, of 16 in the file.
    assert.ok(fresh < 0.4 * after.length, `change ${kind}: ${fresh} of ${after.length} bytes are new`)
  }
})
