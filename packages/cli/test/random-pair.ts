import { createCipheriv } from 'node:crypto'
import { chunkSizesFor, minIndexedBytes } from '@quayside/sdk/chunk-index'
import { ContentCutter } from '@quayside/sdk/content-cutter'
import fc from 'fast-check'

const mib = 1024 * 1024
const maxBytes = 64 * mib

/** A place in a file: a fraction of its size, or bytes before or after the edge of a chunk. */
type Place = { fraction: number } | { edge: number; shift: number }

type Edit =
  | { kind: 'insert' | 'overwrite' | 'delete'; at: Place; size: number; seed: number }
  | { kind: 'move' | 'repeat' | 'swap'; at: Place; size: number; to: Place }

/** Two versions of a file, as the size of the first one and the changes that lead to the second. */
export type Pair = { seed: number; size: number; edits: Edit[] }

const place: fc.Arbitrary<Place> = fc.oneof(
  fc.record({ fraction: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ edge: fc.nat(2000), shift: fc.integer({ min: -1, max: 1 }) }),
)
const size = fc.oneof(
  { weight: 4, arbitrary: fc.nat(5000) },
  { weight: 3, arbitrary: fc.nat(400_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 4095, 4096, 4097, 16_384, 65_536, 262_144) },
)
const seed = fc.nat(2 ** 31 - 1)

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constantFrom('insert', 'overwrite', 'delete'), at: place, size, seed }),
  fc.record({ kind: fc.constantFrom('move', 'repeat', 'swap'), at: place, size, to: place }),
)

/** Most files are a little larger than the smallest one with an index, so that thousands of pairs take minutes. */
export const pair: fc.Arbitrary<Pair> = fc.record({
  seed,
  size: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: minIndexedBytes }) },
    { weight: 40, arbitrary: fc.integer({ min: minIndexedBytes - 1, max: 3 * mib }) },
    { weight: 4, arbitrary: fc.integer({ min: 3 * mib, max: 12 * mib }) },
    { weight: 1, arbitrary: fc.integer({ min: 12 * mib, max: maxBytes }) },
  ),
  edits: fc.array(edit, { maxLength: 12 }),
})

/** Returns bytes that look random and are the same for the same seed. */
function seededBytes(sizeBytes: number, from: number): Buffer {
  const key = Buffer.alloc(16)
  key.writeUInt32BE(from)
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeBytes))
}

/** Returns the positions at which the index of a file cuts it. */
function edgesOf(bytes: Buffer): number[] {
  const edges = [0]
  const cutter = new ContentCutter(chunkSizesFor(bytes.length), ({ length }) =>
    edges.push((edges.at(-1) ?? 0) + length),
  )
  cutter.push(bytes)
  cutter.end()
  return edges
}

/** Returns the bytes of both versions. Neither is empty. */
export function bytesOf({ seed: from, size: sizeBytes, edits }: Pair): { old: Buffer; changed: Buffer } {
  const old = seededBytes(sizeBytes, from)
  const edges = edgesOf(old)
  let changed = old
  for (const each of edits) changed = apply(changed, each, edges).subarray(0, maxBytes)
  return { old, changed: changed.length === 0 ? Buffer.alloc(1) : changed }
}

function apply(bytes: Buffer, change: Edit, edges: readonly number[]): Buffer {
  const positionOf = (at: Place): number => {
    const position =
      'fraction' in at ? at.fraction * bytes.length : (edges[at.edge % edges.length] ?? 0) + at.shift
    return Math.min(bytes.length, Math.max(0, Math.floor(position)))
  }
  const start = positionOf(change.at)
  const end = Math.min(bytes.length, start + change.size)
  const [before, block, after] = [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)]
  if ('seed' in change) {
    const added = change.kind === 'delete' ? Buffer.alloc(0) : seededBytes(change.size, change.seed)
    return Buffer.concat([before, added, change.kind === 'insert' ? bytes.subarray(start) : after])
  }
  const to = positionOf(change.to)
  if (change.kind === 'repeat') return Buffer.concat([bytes.subarray(0, to), block, bytes.subarray(to)])
  const others = Buffer.concat([before, after])
  const target = Math.min(to, others.length)
  if (change.kind === 'move')
    return Buffer.concat([others.subarray(0, target), block, others.subarray(target)])
  const other = others.subarray(target, target + block.length)
  const rest = Buffer.concat([others.subarray(0, target), block, others.subarray(target + other.length)])
  return Buffer.concat([rest.subarray(0, start), other, rest.subarray(start)])
}
