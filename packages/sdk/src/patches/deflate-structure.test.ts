import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { sourceOf } from './byte-source.ts'
import { choosePredictor } from './choose-predictor.ts'
import { UnopenableStream } from './deflate-codes.ts'
import { openDeflate } from './deflate-structure.ts'
import { InvalidPatch } from './patch-bytes.ts'
import { DeflateRestorer } from './restore-deflate.ts'
import type { PredictorSettings } from './token-predictor.ts'

type Opened = { content: Uint8Array[]; structure: Uint8Array[]; streamEnd: number | undefined }

function open(stream: Uint8Array, settings: PredictorSettings): Opened {
  const segments = Array.from(openDeflate(sourceOf(stream), 0, settings), (segment) => ({
    ...segment,
    content: segment.content.slice(),
  }))
  return {
    content: segments.map(({ content }) => content),
    structure: segments.map(({ structure }) => structure),
    streamEnd: segments.at(-1)?.streamEnd,
  }
}

function restore(
  { content, structure }: Pick<Opened, 'content' | 'structure'>,
  settings: PredictorSettings,
): Buffer {
  const pieces = content.values()
  const restorer = new DeflateRestorer(settings, () => pieces.next().value)
  return Buffer.concat(structure.flatMap((segment) => [...restorer.segment(segment)]))
}

function assertRestored(stream: Uint8Array, expected?: Uint8Array): number {
  const settings = choosePredictor(sourceOf(stream), 0, undefined)
  const opened = open(stream, settings)
  if (expected !== undefined) assert.ok(Buffer.concat(opened.content).equals(expected))
  assert.ok(restore(opened, settings).equals(stream.subarray(0, opened.streamEnd)))
  return opened.structure.reduce((sum, { length }) => sum + length, 0)
}

const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants
const words = ['const ', 'return ', 'value', '(', ')', ';\n', 'index', ' = ', '0', 'function ']

/** Content with repetitions at all distances. */
const content = fc
  .array(
    fc.oneof(
      fc.constantFrom(...words).map((word) => Buffer.from(word)),
      fc.uint8Array({ maxLength: 40 }),
      fc
        .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 2000 }))
        .map(([byte, count]) => new Uint8Array(count).fill(byte)),
    ),
    { maxLength: 60 },
  )
  .chain((parts) =>
    fc.constantFrom(1, 2, 10).map((times) => Buffer.concat(Array(times).fill(Buffer.concat(parts)))),
  )

test('restores streams of every level and strategy of zlib', () => {
  fc.assert(
    fc.property(
      content,
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 9, max: 15 }),
      (bytes, level, strategy, memLevel, windowBits) => {
        assertRestored(deflateRawSync(bytes, { level, strategy, memLevel, windowBits }), bytes)
      },
    ),
    { numRuns: 30 },
  )
})

test('restores streams of several segments, whose structure is small', () => {
  const line = () => `${words[Math.floor(Math.random() * words.length)]}${Math.floor(Math.random() * 1000)}\n`
  const text = Buffer.from(Array.from({ length: 600_000 }, line).join(''))
  const stream = deflateRawSync(text, { level: 6 })
  const structureBytes = assertRestored(Buffer.concat([stream, Buffer.from('after')]), text)
  assert.ok(structureBytes < 0.05 * stream.length, `${structureBytes} of ${stream.length}`)
})

test('restores stored blocks, empty blocks and padding', () => {
  assertRestored(deflateRawSync(randomBytes(200_000), { level: 0 }))
  assertRestored(deflateRawSync(Buffer.alloc(0)))
  // Two empty stored blocks, the first with set padding bits, and an empty final block with a set bit after it.
  assertRestored(Buffer.from([0b1010_1000, 0, 0, 0xff, 0xff, 0, 0, 0, 0xff, 0xff, 0b011, 0b0100_0000]))
})

test('does not open bytes that are not a complete stream', () => {
  const settings = choosePredictor(sourceOf(deflateRawSync('a')), 0, undefined)
  const stream = deflateRawSync(Buffer.from('a text with a text in a text'.repeat(50)))
  for (let end = 0; end < stream.length; end++)
    assert.throws(() => open(stream.subarray(0, end), settings), UnopenableStream)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        assertRestored(bytes)
      } catch (error) {
        assert.ok(error instanceof UnopenableStream, String(error))
      }
    }),
    { numRuns: 200 },
  )
})

test('rejects damaged structures', () => {
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => `${index * index} and `).join(''))
  const stream = deflateRawSync(bytes)
  const settings = choosePredictor(sourceOf(stream), 0, undefined)
  const opened = open(stream, settings)
  const [structure = new Uint8Array(0)] = opened.structure
  fc.assert(
    fc.property(fc.nat(structure.length - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
      const damaged = structure.slice()
      damaged[position] = (damaged[position] ?? 0) ^ change
      try {
        restore({ content: opened.content, structure: [damaged] }, settings)
      } catch (error) {
        assert.ok(error instanceof InvalidPatch || error instanceof UnopenableStream, String(error))
      }
    }),
    { numRuns: 200 },
  )
})
