import type { ByteSource } from './byte-source.ts'
import { decodeContent, maxContentSegmentBytes, readCompressed, readSegments } from './content-patch.ts'
import { UnopenableStream } from './deflate-codes.ts'
import { openSource } from './open-content.ts'
import { ByteReader, InvalidPatch } from './patch-bytes.ts'
import type { ContentPart, PatchIndex, PatchRange } from './patch-format.ts'
import type { PatchTools } from './patch-tools.ts'
import { DeflateRestorer } from './restore-deflate.ts'

const copiedBytes = 1024 * 1024
const maxStructureBytes = 256 * 1024 * 1024

/**
 * Yields the bytes of the new file. The caller verifies their SHA-256. Throws `InvalidPatch` if the patch is damaged or
 * hostile, and what reading the sources throws.
 */
export function* applyPatch(
  { patch, index, old }: { patch: ByteSource; index: PatchIndex; old: ByteSource },
  tools: PatchTools,
): Generator<Uint8Array> {
  if (old.sizeBytes !== index.oldFile.sizeBytes) throw new InvalidPatch('The patch is for another file.')
  const rest = new Pieces(decodeSegments(patch, index.rest, old, tools))
  for (const part of index.parts) {
    if (part.type === 'rest') yield* rest.take(part.sizeBytes)
    else if (part.type === 'copy') yield* copy(old, part.oldStart, part.sizeBytes)
    else yield* restorePart({ patch, part, old }, tools)
  }
}

/** Yields the bytes of a part of the new file. */
function* restorePart(
  { patch, part, old }: { patch: ByteSource; part: ContentPart; old: ByteSource },
  tools: PatchTools,
): Generator<Uint8Array> {
  const opened = openSource(old, part.source, tools)
  try {
    const content = restoreContent({ patch, part, source: opened.content }, tools)
    const bytes = part.settings === undefined ? content : deflate(patch, part, content, tools)
    yield* ofSize(bytes, part.sizeBytes)
  } finally {
    opened.free()
  }
}

/**
 * Yields the content of a part of the new file: of an entry, before it is deflated. `source` has the content that the
 * part refers to.
 */
export function* restoreContent(
  { patch, part, source }: { patch: ByteSource; part: ContentPart; source: ByteSource },
  tools: PatchTools,
): Generator<Uint8Array> {
  if (source.sizeBytes !== part.source.contentBytes)
    throw new InvalidPatch('The old file has other content than the patch expects.')
  yield* ofSize(decodeSegments(patch, part.contentPatch, source, tools), part.contentBytes)
}

function* decodeSegments(
  patch: ByteSource,
  range: PatchRange,
  old: ByteSource,
  tools: PatchTools,
): Generator<Uint8Array> {
  for (const segment of readSegments(patch, range, maxContentSegmentBytes))
    yield decodeContent(segment, old, tools)
}

function* deflate(
  patch: ByteSource,
  part: ContentPart,
  content: Generator<Uint8Array>,
  tools: PatchTools,
): Generator<Uint8Array> {
  if (part.settings === undefined) return
  const restorer = new DeflateRestorer(part.settings, () => {
    const next = content.next()
    return next.done === true ? undefined : next.value
  })
  try {
    for (const segment of readSegments(patch, part.structure, maxStructureBytes))
      yield* restorer.segment(readCompressed(new ByteReader(segment), maxStructureBytes, tools))
  } catch (error) {
    if (!(error instanceof UnopenableStream)) throw error
    throw new InvalidPatch('The patch describes no deflate stream.', { cause: error })
  }
  if (!restorer.hasEnded) throw new InvalidPatch('The patch is incomplete.')
}

function* copy(old: ByteSource, start: number, sizeBytes: number): Generator<Uint8Array> {
  for (let copied = 0; copied < sizeBytes; copied += copiedBytes) {
    const bytes = new Uint8Array(Math.min(copiedBytes, sizeBytes - copied))
    old.read(bytes, start + copied)
    yield bytes
  }
}

/** Yields bytes. Throws if they have another size. */
function* ofSize(bytes: Generator<Uint8Array>, sizeBytes: number): Generator<Uint8Array> {
  let left = sizeBytes
  for (const piece of bytes) {
    left -= piece.length
    if (left < 0) break
    yield piece
  }
  if (left !== 0) throw new InvalidPatch('A part of the patch has the wrong size.')
}

/** Bytes that are taken in pieces of other sizes than those in which they become known. */
class Pieces {
  readonly #bytes: Generator<Uint8Array>
  #left: Uint8Array = new Uint8Array(0)

  constructor(bytes: Generator<Uint8Array>) {
    this.#bytes = bytes
  }

  *take(sizeBytes: number): Generator<Uint8Array> {
    for (let left = sizeBytes; left > 0;) {
      if (this.#left.length === 0) {
        const next = this.#bytes.next()
        if (next.done === true) throw new InvalidPatch('The patch is incomplete.')
        this.#left = next.value
        continue
      }
      const taken = this.#left.subarray(0, left)
      this.#left = this.#left.subarray(taken.length)
      left -= taken.length
      yield taken
    }
  }
}
