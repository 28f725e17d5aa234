import { hash } from 'node:crypto'

/** Constants of Mach-O files (mach-o/loader.h) and code signatures (cs_blobs.h). */
const magic64 = 0xfeedfacf
const commandType = { segment64: 0x19, codeSignature: 0x1d }
const superBlobMagic = 0xfade0cc0
const codeDirectory = { magic: 0xfade0c02, version: 0x20400, headerBytes: 88, adHoc: 2, mainBinary: 1 }
const requirements = { slot: 2, magic: 0xfade0c01 }
const sha256 = { type: 2, bytes: 32 }
const pageShift = 12
const headerBytes = 32
const signatureCommandBytes = 16
const segmentAlignment = 0x4000

type Segment = { name: string; at: number; fileOffset: number; fileBytes: number; sections: number[] }
type Layout = { commandCount: number; commandBytes: number; text: Segment; linkEdit: Segment }

/**
 * Returns a program for macOS with an ad hoc signature, which contains digests but names no signer. Macs with Apple
 * processors start only signed programs. Throws if the program is already signed.
 */
export function signMachO(program: Buffer, identifier: string): Buffer {
  const layout = readLayout(program)
  const codeBytes = Math.ceil(program.length / 16) * 16
  const requirementSet = words(requirements.magic, 12, 0)
  const signatureBytes = signatureSize(codeBytes, identifier, requirementSet.length)
  const signed = Buffer.alloc(codeBytes + signatureBytes)
  program.copy(signed)
  addSignatureCommand(signed, layout, codeBytes, signatureBytes)
  const directory = createCodeDirectory(
    signed.subarray(0, codeBytes),
    identifier,
    requirementSet,
    layout.text,
  )
  const offset = 12 + 2 * 8
  const blobs = [
    words(superBlobMagic, signatureBytes, 2, 0, offset, requirements.slot, offset + directory.length),
    directory,
    requirementSet,
  ]
  Buffer.concat(blobs).copy(signed, codeBytes)
  return signed
}

function readLayout(program: Buffer): Layout {
  if (program.readUInt32LE(0) !== magic64) throw new Error('The program is not a 64-bit Mach-O file.')
  const [commandCount, commandBytes] = [program.readUInt32LE(16), program.readUInt32LE(20)]
  const segments: Segment[] = []
  let at = headerBytes
  for (let index = 0; index < commandCount; index++) {
    const type = program.readUInt32LE(at)
    if (type === commandType.codeSignature) throw new Error('The program is already signed.')
    if (type === commandType.segment64) segments.push(readSegment(program, at))
    at += program.readUInt32LE(at + 4)
  }
  const [text, linkEdit] = ['__TEXT', '__LINKEDIT'].map((name) =>
    segments.find((segment) => segment.name === name),
  )
  if (text === undefined || linkEdit === undefined) throw new Error('The program lacks a segment.')
  if (linkEdit.fileOffset + linkEdit.fileBytes !== program.length)
    throw new Error('The program has data after its last segment.')
  const firstSection = Math.min(...segments.flatMap(({ sections }) => sections))
  if (headerBytes + commandBytes + signatureCommandBytes > firstSection)
    throw new Error('The program has no space for the command of a signature.')
  return { commandCount, commandBytes, text, linkEdit }
}

function readSegment(program: Buffer, at: number): Segment {
  const sectionCount = program.readUInt32LE(at + 64)
  const offsets = Array.from({ length: sectionCount }, (_, index) =>
    program.readUInt32LE(at + 72 + index * 80 + 48),
  )
  return {
    name: program.toString('latin1', at + 8, at + 24).replace(/\0.*$/s, ''),
    at,
    fileOffset: Number(program.readBigUInt64LE(at + 40)),
    fileBytes: Number(program.readBigUInt64LE(at + 48)),
    // Sections that are filled with zeros are not in the file.
    sections: offsets.filter((offset) => offset > 0),
  }
}

function addSignatureCommand(
  signed: Buffer,
  layout: Layout,
  codeBytes: number,
  signatureBytes: number,
): void {
  const { commandCount, commandBytes, linkEdit } = layout
  signed.writeUInt32LE(commandCount + 1, 16)
  signed.writeUInt32LE(commandBytes + signatureCommandBytes, 20)
  const command = [commandType.codeSignature, signatureCommandBytes, codeBytes, signatureBytes]
  for (const [index, word] of command.entries())
    signed.writeUInt32LE(word, headerBytes + commandBytes + index * 4)
  const linkEditBytes = codeBytes + signatureBytes - linkEdit.fileOffset
  const memoryBytes = Math.ceil(linkEditBytes / segmentAlignment) * segmentAlignment
  signed.writeBigUInt64LE(BigInt(memoryBytes), linkEdit.at + 32)
  signed.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit.at + 48)
}

const pageCount = (codeBytes: number): number => Math.ceil(codeBytes / 2 ** pageShift)

const directorySize = (codeBytes: number, identifier: string): number =>
  codeDirectory.headerBytes +
  Buffer.byteLength(identifier) +
  1 +
  (requirements.slot + pageCount(codeBytes)) * sha256.bytes

const signatureSize = (codeBytes: number, identifier: string, requirementBytes: number): number =>
  12 + 2 * 8 + directorySize(codeBytes, identifier) + requirementBytes

function createCodeDirectory(
  code: Buffer,
  identifier: string,
  requirementSet: Buffer,
  text: Segment,
): Buffer {
  const directory = Buffer.alloc(directorySize(code.length, identifier))
  const identifierOffset = codeDirectory.headerBytes
  const specialOffset = identifierOffset + Buffer.byteLength(identifier) + 1
  const hashOffset = specialOffset + requirements.slot * sha256.bytes
  const fields = [
    codeDirectory.magic,
    directory.length,
    codeDirectory.version,
    codeDirectory.adHoc,
    hashOffset,
    identifierOffset,
    requirements.slot,
    pageCount(code.length),
    code.length,
  ]
  words(...fields).copy(directory)
  directory.set([sha256.bytes, sha256.type, 0, pageShift], 36)
  directory.writeBigUInt64BE(BigInt(text.fileOffset), 64)
  directory.writeBigUInt64BE(BigInt(text.fileBytes), 72)
  directory.writeBigUInt64BE(BigInt(codeDirectory.mainBinary), 80)
  directory.write(identifier, identifierOffset)
  // Digests of special slots precede those of pages in reverse order. The slot of Info.plist is empty.
  digest(requirementSet).copy(directory, specialOffset)
  for (let page = 0; page < pageCount(code.length); page++)
    digest(code.subarray(page << pageShift, (page + 1) << pageShift)).copy(
      directory,
      hashOffset + page * sha256.bytes,
    )
  return directory
}

const digest = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
