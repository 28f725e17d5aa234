import { readRange } from './byte-source.ts'
import type { ByteSource } from './byte-source.ts'
import { addCompressed, readCompressed } from './content-patch.ts'
import { ByteReader, ByteWriter, InvalidPatch } from './patch-bytes.ts'
import type { PatchTools } from './patch-tools.ts'
import type { PredictorSettings } from './token-predictor.ts'

/** Content in the old file, which identifies itself by size and CRC-32, so that a client can also take it from an unpacked file. */
export type PatchSource = {
  start: number
  sizeBytes: number
  isDeflated: boolean
  contentBytes: number
  crc32: number
}

/** A part of the new file. The parts follow each other. */
export type PatchPart =
  /** The next bytes of the rest: what no other part contains. */
  | { type: 'rest'; sizeBytes: number }
  /** Bytes of the old file. */
  | { type: 'copy'; sizeBytes: number; oldStart: number }
  /** Content that is restored from content of the old file. `settings` is how it is deflated, if it is. */
  | {
      type: 'content'
      sizeBytes: number
      contentBytes: number
      crc32: number
      source: PatchSource
      settings: PredictorSettings | undefined
      contentPatch: PatchRange
      structure: PatchRange
    }

export type PatchRange = { start: number; end: number }
export type ContentPart = Extract<PatchPart, { type: 'content' }>

export type PatchIndex = {
  newFile: { sizeBytes: number; sha256: Uint8Array }
  oldFile: { sizeBytes: number; sha256: Uint8Array }
  parts: PatchPart[]
  rest: PatchRange
  /** The size of the patch. */
  sizeBytes: number
}

export const patchHeaderBytes = 100
const magic = 0x51535054
const version = 1
const sha256Bytes = 32
const maxIndexBytes = 32 * 1024 * 1024
const maxChain = 4096
const maxMatchBytes = 258
const types = ['rest', 'copy', 'content'] as const
const hashes = ['zlib-15', 'zlib-16', 'three', 'four'] as const

/** Returns the start of a patch with its index. The ranges of `index` count from the end of the start. */
export function writePatchStart(index: PatchIndex, tools: PatchTools): Uint8Array {
  const parts = new ByteWriter()
  parts.number(index.parts.length)
  for (const part of index.parts) writePart(parts, part)
  parts.number(index.rest.end - index.rest.start)
  const compressed = new ByteWriter()
  addCompressed(compressed, parts.view(), tools)
  const header = new Uint8Array(patchHeaderBytes)
  const view = new DataView(header.buffer)
  view.setUint32(0, magic)
  header[4] = version
  view.setUint32(8, compressed.length, true)
  view.setBigUint64(12, BigInt(index.newFile.sizeBytes), true)
  header.set(index.newFile.sha256, 20)
  view.setBigUint64(52, BigInt(index.oldFile.sizeBytes), true)
  header.set(index.oldFile.sha256, 60)
  view.setBigUint64(92, BigInt(index.sizeBytes), true)
  const start = new ByteWriter()
  start.bytes(header)
  start.bytes(compressed.view())
  return start.view()
}

function writePart(writer: ByteWriter, part: PatchPart): void {
  writer.byte(types.indexOf(part.type))
  writer.number(part.sizeBytes)
  if (part.type === 'rest') return
  if (part.type === 'copy') {
    writer.number(part.oldStart)
    return
  }
  const { source, settings } = part
  writer.number(part.contentBytes)
  writer.number(part.crc32)
  writer.number(source.start)
  writer.number(source.sizeBytes)
  writer.byte(source.isDeflated ? 1 : 0)
  writer.number(source.contentBytes)
  writer.number(source.crc32)
  writer.byte(settings === undefined ? 0 : 1)
  if (settings !== undefined) {
    writer.byte(hashes.indexOf(settings.hash))
    for (const value of [settings.goodLength, settings.maxLazy, settings.niceLength, settings.maxChain])
      writer.number(value)
    writer.byte(settings.isGreedy ? 1 : 0)
  }
  writer.number(part.contentPatch.end - part.contentPatch.start)
  writer.number(part.structure.end - part.structure.start)
}

/** Reads the index of a patch. Throws `InvalidPatch` before it allocates more than a patch of this kind needs. */
export function readPatchIndex(patch: ByteSource, tools: PatchTools): PatchIndex {
  if (patch.sizeBytes < patchHeaderBytes) throw new InvalidPatch('The patch is incomplete.')
  const header = readRange(patch, 0, patchHeaderBytes)
  const { indexBytes, ...files } = readPatchHeader(header)
  const end = patchHeaderBytes + indexBytes
  if (files.sizeBytes !== patch.sizeBytes || end > patch.sizeBytes)
    throw new InvalidPatch('The patch is incomplete.')
  return readPatchParts(files, readRange(patch, patchHeaderBytes, end), tools)
}

type PatchFiles = Pick<PatchIndex, 'newFile' | 'oldFile' | 'sizeBytes'>

/** Reads the first bytes of a patch, and returns how many bytes after them are its index. */
export function readPatchHeader(header: Uint8Array): PatchFiles & { indexBytes: number } {
  if (header.length < patchHeaderBytes) throw new InvalidPatch('The patch is incomplete.')
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  if (view.getUint32(0) !== magic || view.getUint8(4) !== version)
    throw new InvalidPatch('The patch has an unknown format.')
  const indexBytes = view.getUint32(8, true)
  if (indexBytes > maxIndexBytes) throw new InvalidPatch('The patch has an index that is too large.')
  const numberAt = (position: number) => {
    const value = view.getBigUint64(position, true)
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
      throw new InvalidPatch('The patch has a number that is too large.')
    return Number(value)
  }
  return {
    newFile: { sizeBytes: numberAt(12), sha256: header.slice(20, 20 + sha256Bytes) },
    oldFile: { sizeBytes: numberAt(52), sha256: header.slice(60, 60 + sha256Bytes) },
    sizeBytes: numberAt(92),
    indexBytes,
  }
}

/** Reads the index of a patch, which follows its header. */
export function readPatchParts(files: PatchFiles, index: Uint8Array, tools: PatchTools): PatchIndex {
  const { newFile, oldFile, sizeBytes } = files
  const reader = new ByteReader(readCompressed(new ByteReader(index), maxIndexBytes, tools))
  const count = reader.number(reader.leftBytes)
  const parts: PatchPart[] = []
  let position = patchHeaderBytes + index.length
  let leftBytes = newFile.sizeBytes
  for (let number = 0; number < count; number++) {
    const part = readPart(reader, { position, leftBytes, oldBytes: oldFile.sizeBytes })
    if (part.type === 'content') position = part.structure.end
    leftBytes -= part.sizeBytes
    parts.push(part)
  }
  const rest = { start: position, end: position + reader.number(sizeBytes - position) }
  if (leftBytes > 0 || rest.end !== sizeBytes)
    throw new InvalidPatch('The parts of the patch do not fill the file.')
  return { newFile, oldFile, parts, rest, sizeBytes }
}

type Limits = { position: number; leftBytes: number; oldBytes: number }

function readPart(reader: ByteReader, { position, leftBytes, oldBytes }: Limits): PatchPart {
  const type = types[reader.byte()]
  const sizeBytes = reader.number(leftBytes)
  if (type === undefined) throw new InvalidPatch('The patch has an unknown part.')
  if (type === 'rest') return { type, sizeBytes }
  if (type === 'copy') return { type, sizeBytes, oldStart: reader.number(oldBytes - sizeBytes) }
  const contentBytes = reader.number()
  const crc32 = reader.number(2 ** 32 - 1)
  const start = reader.number(oldBytes)
  const source = {
    start,
    sizeBytes: reader.number(oldBytes - start),
    isDeflated: reader.byte() === 1,
    contentBytes: reader.number(),
    crc32: reader.number(2 ** 32 - 1),
  }
  const settings = reader.byte() === 1 ? readSettings(reader) : undefined
  // A deflated byte holds at most 1032 bytes.
  if (contentBytes > (settings === undefined ? sizeBytes : 1032 * sizeBytes))
    throw new InvalidPatch('The patch has content that is too large.')
  if (source.contentBytes > (source.isDeflated ? 1032 * source.sizeBytes : source.sizeBytes))
    throw new InvalidPatch('The patch has a source that is too large.')
  const contentEnd = position + reader.number()
  const structureEnd = contentEnd + reader.number()
  return {
    type,
    sizeBytes,
    contentBytes,
    crc32,
    source,
    settings,
    contentPatch: { start: position, end: contentEnd },
    structure: { start: contentEnd, end: structureEnd },
  }
}

function readSettings(reader: ByteReader): PredictorSettings {
  const hash = hashes[reader.byte()]
  if (hash === undefined) throw new InvalidPatch('The patch has an unknown compressor.')
  const [goodLength, maxLazy, niceLength] = [
    reader.number(maxMatchBytes),
    reader.number(maxMatchBytes),
    reader.number(maxMatchBytes),
  ]
  return {
    hash,
    goodLength,
    maxLazy,
    niceLength,
    maxChain: reader.number(maxChain),
    isGreedy: reader.byte() === 1,
  }
}
