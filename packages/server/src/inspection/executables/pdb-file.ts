import { parseOr, readBytes, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

const damaged = 'The program database is damaged.'
const magic = Buffer.from('Microsoft C/C++ MSF 7.00\r\n\u001aDS\0\0\0', 'latin1')
const portableMagic = 'BSJB'
const maxDirectoryBytes = 16 * 2 ** 20
const maxRootBytes = 4096
const maxStreams = 32
const deletedStream = 0xffffffff
const [infoStream, debugStream] = [1, 3]

export const isPdb = (head: Buffer): boolean =>
  head.subarray(0, magic.length).equals(magic) || head.toString('latin1', 0, 4) === portableMagic

/**
 * Returns the ID of a program database, with which executables refer to it: the GUID as 32 lowercase hexadecimal digits,
 * followed by the age, which is `ffffffff` for the portable format of .NET. Returns null if it has none.
 */
export async function readPdbId(source: ByteSource): Promise<string | null> {
  const head = await readBytes(source, 0, Math.min(56, source.sizeBytes), damaged)
  if (head.toString('latin1', 0, 4) === portableMagic) return readPortableId(source)
  if (head.length < 56 || !isPdb(head)) return null
  return readNativeId(source, head)
}

/** Joins a GUID, whose first three parts are little-endian, and an age. */
export const formatPdbId = (guid: Buffer, age: number): string =>
  [
    guid.readUInt32LE(0).toString(16).padStart(8, '0'),
    guid.readUInt16LE(4).toString(16).padStart(4, '0'),
    guid.readUInt16LE(6).toString(16).padStart(4, '0'),
    guid.toString('hex', 8, 16),
    age.toString(16),
  ].join('')

/** Reads the streams of a multi-stream file (https://llvm.org/docs/PDB/MsfFile.html). */
async function readNativeId(source: ByteSource, head: Buffer): Promise<string> {
  const blockBytes = head.readUInt32LE(32)
  const directoryBytes = head.readUInt32LE(44)
  const isValid = [512, 1024, 2048, 4096, 8192, 16384, 32768].includes(blockBytes)
  if (!isValid || directoryBytes > maxDirectoryBytes) throw new InspectionError(damaged)
  const blockCount = Math.ceil(directoryBytes / blockBytes)
  const map = await readBytes(source, head.readUInt32LE(52) * blockBytes, blockCount * 4, damaged)
  const parts: Buffer[] = []
  for (let index = 0; index < blockCount; index++)
    parts.push(await readBytes(source, map.readUInt32LE(index * 4) * blockBytes, blockBytes, damaged))
  const directory = Buffer.concat(parts).subarray(0, directoryBytes)
  const readStart = async (stream: number, length: number): Promise<Buffer | undefined> => {
    const block = parseOr(damaged, () => firstBlock(directory, stream, { blockBytes, length }))
    return block === undefined ? undefined : readBytes(source, block * blockBytes, length, damaged)
  }
  const info = await readStart(infoStream, 28)
  if (info === undefined) throw new InspectionError(damaged)
  // Tools that add sources to a database increase the age of its first stream. Executables contain that of the third.
  const debug = await readStart(debugStream, 12)
  return formatPdbId(slice(info, 12, 16), debug?.readUInt32LE(8) ?? info.readUInt32LE(8))
}

/** Returns the first block of a stream, or undefined if the stream is shorter than `length`. */
function firstBlock(
  directory: Buffer,
  stream: number,
  { blockBytes, length }: { blockBytes: number; length: number },
): number | undefined {
  const streamCount = directory.readUInt32LE(0)
  if (stream >= streamCount) return undefined
  let blocksBefore = 0
  for (let index = 0; index < stream; index++) {
    const sizeBytes = directory.readUInt32LE(4 + index * 4)
    blocksBefore += sizeBytes === deletedStream ? 0 : Math.ceil(sizeBytes / blockBytes)
  }
  const sizeBytes = directory.readUInt32LE(4 + stream * 4)
  if (sizeBytes === deletedStream || sizeBytes < length) return undefined
  return directory.readUInt32LE(4 + (streamCount + blocksBefore) * 4)
}

/**
 * Reads the ID in the stream `#Pdb`
 * (https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md).
 */
async function readPortableId(source: ByteSource): Promise<string | null> {
  const root = await readBytes(source, 0, Math.min(maxRootBytes, source.sizeBytes), damaged)
  const offset = parseOr(damaged, () => portableStream(root))
  if (offset === undefined) return null
  return formatPdbId(await readBytes(source, offset, 16, damaged), 0xffffffff)
}

function portableStream(root: Buffer): number | undefined {
  const versionBytes = root.readUInt32LE(12)
  let at = 16 + versionBytes + 4
  const count = Math.min(root.readUInt16LE(at - 2), maxStreams)
  for (let index = 0; index < count; index++) {
    const end = root.indexOf(0, at + 8)
    if (end < 0) return undefined
    if (root.toString('latin1', at + 8, end) === '#Pdb') return root.readUInt32LE(at)
    // Names end with a NUL byte and are padded to four bytes.
    at += 8 + (Math.floor((end - at - 8) / 4) + 1) * 4
  }
  return undefined
}
