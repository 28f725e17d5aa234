import { readRange } from './byte-source.ts'
import type { ByteSource } from './byte-source.ts'
import { alignBytes } from './match-bytes.ts'
import type { Alignment } from './match-bytes.ts'
import type { OldWindows } from './old-windows.ts'
import { ByteReader, ByteWriter, InvalidPatch } from './patch-bytes.ts'
import type { PatchTools } from './patch-tools.ts'

/** New bytes that are compared with old ones at once. */
export const patchSegmentBytes = 16 * 1024 * 1024
const maxSegmentBytes = 2 * patchSegmentBytes
/** A number takes at most five bytes, and there is at most one for each byte of a segment. */
const maxStreamBytes = 5 * maxSegmentBytes

/** Returns what a client needs to restore bytes from old ones. */
export function encodeContent(windows: OldWindows, bytes: Uint8Array, tools: PatchTools): Uint8Array {
  const { old, positionOf } = windows.select(bytes)
  const streams = {
    control: new ByteWriter(),
    runs: new ByteWriter(),
    values: new ByteWriter(),
    extra: new ByteWriter(),
  }
  let oldEnd = 0
  let run = 0
  const addRange = ({ newStart, oldStart, similarBytes, extraBytes }: Alignment) => {
    const position = similarBytes === 0 ? oldEnd : positionOf(oldStart)
    const shift = position - oldEnd
    oldEnd = position + similarBytes
    streams.control.number(similarBytes)
    streams.control.number(extraBytes)
    streams.control.number(shift < 0 ? -2 * shift - 1 : 2 * shift)
    for (let index = 0; index < similarBytes; index++) {
      const difference = ((bytes[newStart + index] ?? 0) - (old.bytes[oldStart + index] ?? 0)) & 255
      if (difference === 0) run++
      else {
        streams.runs.number(run)
        streams.values.byte(difference)
        run = 0
      }
    }
    streams.extra.bytes(bytes.subarray(newStart + similarBytes, newStart + similarBytes + extraBytes))
  }
  for (const alignment of alignBytes(old, bytes))
    for (const range of windows.split(alignment)) addRange(range)
  const segment = new ByteWriter()
  segment.number(bytes.length)
  for (const stream of [streams.control, streams.runs, streams.values, streams.extra])
    addCompressed(segment, stream.view(), tools)
  return segment.view()
}

/** Restores bytes from old ones. Throws `InvalidPatch`. */
export function decodeContent(segment: Uint8Array, old: ByteSource, tools: PatchTools): Uint8Array {
  const parts = new ByteReader(segment)
  const bytes = new Uint8Array(parts.number(maxSegmentBytes))
  const next = () => new ByteReader(readCompressed(parts, maxStreamBytes, tools))
  const [control, runs, values, extra] = [next(), next(), next(), next()]
  let position = 0
  let oldEnd = 0
  let untilDifference = values.leftBytes > 0 ? runs.number() : Infinity
  while (position < bytes.length || control.leftBytes > 0) {
    const similarBytes = control.number(bytes.length - position)
    const extraBytes = control.number(bytes.length - position - similarBytes)
    const shift = control.number()
    const oldStart = oldEnd + (shift % 2 === 0 ? shift / 2 : -(shift + 1) / 2)
    if (oldStart < 0 || oldStart + similarBytes > old.sizeBytes)
      throw new InvalidPatch('The patch refers to bytes outside of the old file.')
    const similar = bytes.subarray(position, position + similarBytes)
    if (similarBytes > 0) old.read(similar, oldStart)
    let index = 0
    while (untilDifference < similarBytes - index) {
      index += untilDifference
      similar[index] = (similar[index] ?? 0) + values.byte()
      index++
      untilDifference = values.leftBytes > 0 ? runs.number() : Infinity
    }
    untilDifference -= similarBytes - index
    oldEnd = oldStart + similarBytes
    position += similarBytes
    bytes.set(extra.bytes(extraBytes), position)
    position += extraBytes
  }
  return bytes
}

/** Adds the size of bytes, and the compressed bytes. */
export function addCompressed(target: ByteWriter, bytes: Uint8Array, tools: PatchTools): void {
  target.number(bytes.length)
  if (bytes.length > 0) target.block(tools.compress(bytes))
}

/** Reads what `addCompressed` wrote. Throws `InvalidPatch` before it allocates more than `maxBytes`. */
export function readCompressed(source: ByteReader, maxBytes: number, tools: PatchTools): Uint8Array {
  const sizeBytes = source.number(maxBytes)
  if (sizeBytes === 0) return new Uint8Array(0)
  const bytes = tools.decompress(source.block(), sizeBytes)
  if (bytes.length !== sizeBytes) throw new InvalidPatch('The patch has compressed bytes of another size.')
  return bytes
}

/** Yields the framed segments of a range of the patch. */
export function* readSegments(
  patch: ByteSource,
  { start, end }: { start: number; end: number },
  maxBytes: number,
): Generator<Uint8Array> {
  for (let position = start; position < end;) {
    if (position + 4 > end) throw new InvalidPatch('The patch is incomplete.')
    const sizeBytes = new DataView(readRange(patch, position, position + 4).buffer).getUint32(0, true)
    position += 4
    if (sizeBytes > Math.min(maxBytes, end - position))
      throw new InvalidPatch('A segment of the patch is too large.')
    yield readRange(patch, position, position + sizeBytes)
    position += sizeBytes
  }
}

/** Returns bytes after their number, as `readSegments` expects them. */
export function framed(bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(4 + bytes.length)
  new DataView(frame.buffer).setUint32(0, bytes.length, true)
  frame.set(bytes, 4)
  return frame
}

export const maxContentSegmentBytes = 2 * maxStreamBytes
