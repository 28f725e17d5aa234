import { readMembers } from './archive-members.ts'
import type { Member } from './archive-members.ts'
import { partOf, readRange } from './byte-source.ts'
import type { ByteSource } from './byte-source.ts'
import { encodeContent, framed, patchSegmentBytes } from './content-patch.ts'
import { UnopenableStream } from './deflate-codes.ts'
import { OldWindows } from './old-windows.ts'
import { pairMembers } from './pair-members.ts'
import { writePatchStart } from './patch-format.ts'
import type { PatchIndex, PatchPart } from './patch-format.ts'
import { patchMember } from './patch-member.ts'
import type { PatchTools, Scratch } from './patch-tools.ts'
import type { PredictorSettings } from './token-predictor.ts'

export type PatchedFile = { source: ByteSource; sha256: Uint8Array }

export type PatchOptions = {
  tools: PatchTools
  /** Streams with more content are not opened. */
  maxContentBytes: number
  /** Creation ends if the patch has this size. */
  maxPatchBytes: number
}

/** Smaller members are not opened, because the description of their content would not be smaller. */
const minMemberBytes = 512
/** Bytes between two copied members that are copied with them if they are equal, such as the header of an entry. */
const maxJoinedBytes = 4096
const comparedBytes = 1024 * 1024

/**
 * Returns a patch that changes an old file to a new one, or undefined if it would be too large. The caller verifies that
 * it restores the file, and frees it.
 */
export function createPatch(
  old: PatchedFile,
  file: PatchedFile,
  options: PatchOptions,
): { start: Uint8Array; body: Scratch } | undefined {
  const { tools } = options
  const body = tools.createScratch()
  try {
    const index = writeParts(old, file, body, options)
    if (index !== undefined) {
      const start = writePatchStart(index, tools)
      // The size is in the header, whose length does not depend on it.
      return {
        start: writePatchStart({ ...index, sizeBytes: start.length + body.source.sizeBytes }, tools),
        body,
      }
    }
  } catch (error) {
    body.free()
    throw error
  }
  body.free()
  return undefined
}

function writeParts(
  old: PatchedFile,
  file: PatchedFile,
  body: Scratch,
  { tools, maxContentBytes, maxPatchBytes }: PatchOptions,
): PatchIndex | undefined {
  const members = readMembers(file.source).filter(({ sizeBytes = Infinity }) => sizeBytes >= minMemberBytes)
  const pairs = pairMembers(readMembers(old.source), members)
  const parts = new PartList(old.source, file.source)
  let likely: PredictorSettings | undefined
  for (const [index, member] of members.entries()) {
    const pair = pairs[index]
    if (pair === undefined) continue
    if (hasEqualBytes(old.source, pair, file.source, member)) {
      parts.copy(member.start, member.sizeBytes ?? 0, pair.start)
      continue
    }
    try {
      const patched = patchMember(
        { old: old.source, pair, file: file.source, member, likely },
        { tools, maxContentBytes },
      )
      if (patched === undefined) continue
      likely = patched.settings ?? likely
      const position = body.source.sizeBytes
      for (const blob of patched.blobs) body.write(blob)
      parts.content(member.start, patched.describe(position))
    } catch (error) {
      // The stream stays as it is, and is compared like other bytes.
      if (!(error instanceof UnopenableStream)) throw error
    }
    if (body.source.sizeBytes > maxPatchBytes) return undefined
  }
  const rest = parts.finish()
  const restStart = body.source.sizeBytes
  const windows = new OldWindows(old.source)
  for (let start = 0; start < rest.sizeBytes; start += patchSegmentBytes) {
    const bytes = readRange(rest, start, Math.min(rest.sizeBytes, start + patchSegmentBytes))
    body.write(framed(encodeContent(windows, bytes, tools)))
    if (body.source.sizeBytes > maxPatchBytes) return undefined
  }
  return {
    newFile: { sizeBytes: file.source.sizeBytes, sha256: file.sha256 },
    oldFile: { sizeBytes: old.source.sizeBytes, sha256: old.sha256 },
    parts: parts.parts,
    rest: { start: restStart, end: body.source.sizeBytes },
    sizeBytes: 0,
  }
}

/** Collects the parts of a file, between which the rest is. */
class PartList {
  readonly parts: PatchPart[] = []
  readonly #old: ByteSource
  readonly #file: ByteSource
  readonly #rest: { start: number; end: number }[] = []
  #end = 0

  constructor(old: ByteSource, file: ByteSource) {
    this.#old = old
    this.#file = file
  }

  copy(start: number, sizeBytes: number, oldStart: number): void {
    const last = this.parts.at(-1)
    const gap = start - this.#end
    if (last?.type === 'copy' && last.oldStart + last.sizeBytes + gap === oldStart && gap <= maxJoinedBytes) {
      const between = readRange(this.#file, this.#end, start)
      if (isEqual(between, readRange(this.#old, oldStart - gap, oldStart))) {
        last.sizeBytes += gap + sizeBytes
        this.#end = start + sizeBytes
        return
      }
    }
    this.#addRest(start)
    this.parts.push({ type: 'copy', sizeBytes, oldStart })
    this.#end = start + sizeBytes
  }

  content(start: number, part: PatchPart): void {
    this.#addRest(start)
    this.parts.push(part)
    this.#end = start + part.sizeBytes
  }

  #addRest(end: number): void {
    if (end === this.#end) return
    this.parts.push({ type: 'rest', sizeBytes: end - this.#end })
    this.#rest.push({ start: this.#end, end })
  }

  /** Adds the end of the file. Returns the bytes that are in no other part. */
  finish(): ByteSource {
    this.#addRest(this.#file.sizeBytes)
    return joined(this.#file, this.#rest)
  }
}

/** Returns ranges of a source as one source. */
function joined(source: ByteSource, ranges: readonly { start: number; end: number }[]): ByteSource {
  const sizeBytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const read = (target: Uint8Array, position: number) => {
    let filled = 0
    let offset = 0
    for (const { start, end } of ranges) {
      const from = position + filled - offset
      offset += end - start
      if (filled === target.length) return
      if (from >= end - start) continue
      const part = target.subarray(filled, filled + end - start - from)
      source.read(part, start + from)
      filled += part.length
    }
  }
  return { sizeBytes, read }
}

function hasEqualBytes(old: ByteSource, pair: Member, file: ByteSource, member: Member): boolean {
  const { sizeBytes } = member
  if (sizeBytes === undefined || pair.sizeBytes !== sizeBytes) return false
  if (pair.crc32 !== member.crc32 || pair.isDeflated !== member.isDeflated) return false
  const [before, after] = [
    partOf(old, pair.start, pair.start + sizeBytes),
    partOf(file, member.start, member.start + sizeBytes),
  ]
  for (let start = 0; start < sizeBytes; start += comparedBytes) {
    const end = Math.min(sizeBytes, start + comparedBytes)
    if (!isEqual(readRange(before, start, end), readRange(after, start, end))) return false
  }
  return true
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
