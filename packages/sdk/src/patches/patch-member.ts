import type { Member } from './archive-members.ts'
import { partOf, readRange } from './byte-source.ts'
import type { ByteSource } from './byte-source.ts'
import { choosePredictor } from './choose-predictor.ts'
import { addCompressed, encodeContent, framed, patchSegmentBytes } from './content-patch.ts'
import { openDeflate } from './deflate-structure.ts'
import { OldWindows } from './old-windows.ts'
import { inflate } from './open-content.ts'
import { ByteWriter } from './patch-bytes.ts'
import type { ContentPart } from './patch-format.ts'
import type { PatchTools } from './patch-tools.ts'
import type { PredictorSettings } from './token-predictor.ts'

type PairedMember = {
  old: ByteSource
  pair: Member
  file: ByteSource
  member: Member
  likely: PredictorSettings | undefined
}

type Limits = { tools: PatchTools; maxContentBytes: number }

export type PatchedMember = {
  settings: PredictorSettings | undefined
  blobs: Uint8Array[]
  /** Returns the part for blobs that start at a position of the patch. */
  describe: (position: number) => ContentPart
}

/** A patch of a member that is not smaller is not used. */
const maxRatio = 0.95
const bytesToJudge = 4 * patchSegmentBytes

/** Returns how the content of a member is restored from that of an old one, or undefined if its own bytes are smaller. */
export function patchMember(paired: PairedMember, limits: Limits): PatchedMember | undefined {
  const { old, pair, file, member } = paired
  const { tools, maxContentBytes } = limits
  const opened = pair.isDeflated ? inflate(old, pair.start, maxContentBytes, tools) : undefined
  try {
    const sizeBytes = opened === undefined ? (pair.sizeBytes ?? 0) : opened.streamEnd - pair.start
    const content = opened?.source ?? partOf(old, pair.start, pair.start + sizeBytes)
    const encoder = new ContentEncoder(new OldWindows(content), tools)
    const stream = member.isDeflated
      ? openStream(paired, limits, encoder)
      : storeMember(file, member, encoder)
    if (stream === undefined) return undefined
    const contentBlobs = encoder.finish()
    const blobs = [...contentBlobs, ...stream.structure]
    if (sumOf(blobs) > maxRatio * stream.sizeBytes) return undefined
    const source = {
      start: pair.start,
      sizeBytes,
      isDeflated: pair.isDeflated,
      contentBytes: content.sizeBytes,
      crc32: opened?.crc32 ?? crc32Of(content, tools),
    }
    const describe = (position: number): ContentPart => {
      const contentEnd = position + sumOf(contentBlobs)
      return {
        type: 'content',
        sizeBytes: stream.sizeBytes,
        contentBytes: encoder.contentBytes,
        crc32: encoder.crc32,
        source,
        settings: stream.settings,
        contentPatch: { start: position, end: contentEnd },
        structure: { start: contentEnd, end: contentEnd + sumOf(stream.structure) },
      }
    }
    return { settings: stream.settings, blobs, describe }
  } finally {
    opened?.free()
  }
}

type Stream = { sizeBytes: number; settings: PredictorSettings | undefined; structure: Uint8Array[] }

/** Encodes the content of a stored member. */
function storeMember(
  file: ByteSource,
  { start, sizeBytes = 0 }: Member,
  encoder: ContentEncoder,
): Stream | undefined {
  for (let position = start; position < start + sizeBytes; position += patchSegmentBytes) {
    encoder.push(readRange(file, position, Math.min(start + sizeBytes, position + patchSegmentBytes)))
    if (position - start >= bytesToJudge && encoder.sizeBytes > position - start) return undefined
  }
  return { sizeBytes, settings: undefined, structure: [] }
}

/** Opens a deflated member and encodes its content. */
function openStream(
  { file, member, likely }: PairedMember,
  { tools, maxContentBytes }: Limits,
  encoder: ContentEncoder,
): Stream | undefined {
  const { start, sizeBytes } = member
  const part = partOf(file, start, sizeBytes === undefined ? file.sizeBytes : start + sizeBytes)
  const settings = choosePredictor(part, 0, likely)
  const structure: Uint8Array[] = []
  for (const segment of openDeflate(part, 0, settings)) {
    encoder.push(segment.content)
    if (encoder.contentBytes > maxContentBytes) return undefined
    const compressed = new ByteWriter()
    addCompressed(compressed, segment.structure, tools)
    structure.push(framed(compressed.view()))
    if (segment.streamEnd === undefined) continue
    // Bytes after the end of a stream would be lost.
    if (sizeBytes !== undefined && segment.streamEnd !== sizeBytes) return undefined
    return { sizeBytes: segment.streamEnd, settings, structure }
  }
  return undefined
}

/** Encodes content that becomes known in pieces. */
class ContentEncoder {
  contentBytes = 0
  crc32 = 0
  sizeBytes = 0
  readonly #windows: OldWindows
  readonly #tools: PatchTools
  readonly #blobs: Uint8Array[] = []
  readonly #pending = new ByteWriter()

  constructor(windows: OldWindows, tools: PatchTools) {
    this.#windows = windows
    this.#tools = tools
  }

  push(bytes: Uint8Array): void {
    this.contentBytes += bytes.length
    this.crc32 = this.#tools.crc32(bytes, this.crc32)
    for (let taken = 0; taken < bytes.length;) {
      const part = bytes.subarray(taken, taken + patchSegmentBytes - this.#pending.length)
      this.#pending.bytes(part)
      taken += part.length
      if (this.#pending.length === patchSegmentBytes) this.#encode()
    }
  }

  finish(): Uint8Array[] {
    if (this.#pending.length > 0) this.#encode()
    return this.#blobs
  }

  #encode(): void {
    const blob = framed(encodeContent(this.#windows, this.#pending.view(), this.#tools))
    this.#blobs.push(blob)
    this.sizeBytes += blob.length
    this.#pending.length = 0
  }
}

function crc32Of(content: ByteSource, { crc32 }: PatchTools): number {
  let value = 0
  for (let start = 0; start < content.sizeBytes; start += patchSegmentBytes)
    value = crc32(readRange(content, start, Math.min(content.sizeBytes, start + patchSegmentBytes)), value)
  return value
}

const sumOf = (blobs: readonly Uint8Array[]): number => blobs.reduce((sum, { length }) => sum + length, 0)
