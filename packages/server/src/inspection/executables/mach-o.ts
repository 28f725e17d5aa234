import { orNull, parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

const damaged = 'The Mach-O file is damaged.'
/** Class files of Java start with the same bytes as universal files, followed by a version of at least 45. */
const maxSlices = 32
const maxCommands = 10_000
const maxCommandBytes = 2 ** 20
const minHeaderBytes = 28
const uuidCommand = 0x1b

/** Maps processor types of Mach-O files (mach/machine.h) to architectures of the catalog. */
const architectures: Readonly<Record<number, string>> = {
  0x00000007: 'x86',
  0x01000007: 'x64',
  0x0100000c: 'arm64v8',
  // Applications for Apple Watch with 32-bit addresses.
  0x0200000c: 'armv8',
  0x00000012: 'ppc',
  0x01000012: 'ppc64',
}
const arm = 0x0000000c
/** Maps subtypes of 32-bit ARM processors. The others are ARMv7. */
const armArchitectures: Readonly<Record<number, string>> = { 6: 'armv6', 7: 'armv5' }

/** One architecture of a Mach-O file. `fileType` is 2 for executables, 6 for libraries and 10 for debug symbols. */
export type MachOSlice = {
  architecture: string | undefined
  uuid: string | null
  fileType: number
  offset: number
  sizeBytes: number
}

export const machOFileType = { executable: 2, library: 6, bundle: 8, symbols: 10 }

/** Returns whether these are the first bytes of a Mach-O file. */
export function isMachO(head: Buffer): boolean {
  if (head.length < 8) return false
  const magic = head.readUInt32BE(0)
  const isUniversal = (magic === 0xcafebabe || magic === 0xcafebabf) && head.readUInt32BE(4) <= maxSlices
  return isUniversal || formatOf(magic) !== undefined
}

function formatOf(magic: number): { endian: 'LE' | 'BE'; headerBytes: number } | undefined {
  if (magic === 0xcefaedfe) return { endian: 'LE', headerBytes: 28 }
  if (magic === 0xcffaedfe) return { endian: 'LE', headerBytes: 32 }
  if (magic === 0xfeedface) return { endian: 'BE', headerBytes: 28 }
  return magic === 0xfeedfacf ? { endian: 'BE', headerBytes: 32 } : undefined
}

type Range = { offset: number; sizeBytes: number }

/**
 * Lists the architectures of a Mach-O file, in the order of their offsets, because entries of archives can only be read
 * forward. Returns an empty list for other files and throws `InspectionError` if the file is damaged.
 */
export async function listSlices(source: ByteSource): Promise<MachOSlice[]> {
  const head = await readBytes(source, 0, Math.min(8, source.sizeBytes), damaged)
  if (!isMachO(head)) return []
  const magic = head.readUInt32BE(0)
  if (formatOf(magic) !== undefined)
    return [await readSlice(source, { offset: 0, sizeBytes: source.sizeBytes })]
  const slices: MachOSlice[] = []
  for (const { architecture, ...range } of await listRanges(source, head)) {
    const read = await orNull(readSlice(source, range))
    slices.push(read ?? { architecture, uuid: null, fileType: 0, ...range })
  }
  return slices
}

/** Reads the table of a universal file. */
async function listRanges(
  source: ByteSource,
  head: Buffer,
): Promise<(Range & { architecture: string | undefined })[]> {
  const is64Bit = head.readUInt32BE(0) === 0xcafebabf
  const entryBytes = is64Bit ? 32 : 20
  const count = head.readUInt32BE(4)
  const entries = await readBytes(source, 8, count * entryBytes, damaged)
  const ranges = parseOr(damaged, () =>
    Array.from({ length: count }, (_, index) => {
      const entry = slice(entries, index * entryBytes, entryBytes)
      return {
        architecture: architectureOf(entry.readUInt32BE(0), entry.readUInt32BE(4)),
        offset: is64Bit ? readUint64(entry, 8, 'BE') : entry.readUInt32BE(8),
        sizeBytes: is64Bit ? readUint64(entry, 16, 'BE') : entry.readUInt32BE(12),
      }
    }),
  )
  return ranges.toSorted((a, b) => a.offset - b.offset)
}

/** A load command: `content` includes its type and its length. */
export type LoadCommand = { type: number; content: Buffer }

type Header = Pick<MachOSlice, 'architecture' | 'fileType'> & { endian: 'LE' | 'BE'; commands: LoadCommand[] }

/** Reads the header and the load commands of one architecture. Commands that are outside the file are omitted. */
export async function readHeader(source: ByteSource, range: Range): Promise<Header> {
  const start = await readBytes(source, range.offset, minHeaderBytes, damaged)
  const format = formatOf(start.readUInt32BE(0))
  if (format === undefined) throw new InspectionError(damaged)
  const word = (bytes: Buffer, at: number) =>
    format.endian === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
  const commandBytes = word(start, 20)
  if (commandBytes > maxCommandBytes) throw new InspectionError(damaged)
  const commandsAt = range.offset + format.headerBytes
  const availableBytes = Math.min(commandBytes, Math.max(0, source.sizeBytes - commandsAt))
  const commands = await readBytes(source, commandsAt, availableBytes, damaged)
  return {
    architecture: architectureOf(word(start, 4), word(start, 8)),
    fileType: word(start, 12),
    endian: format.endian,
    commands: splitCommands(commands, Math.min(word(start, 16), maxCommands), word),
  }
}

async function readSlice(source: ByteSource, range: Range): Promise<MachOSlice> {
  const { architecture, fileType, commands } = await readHeader(source, range)
  const content = commands.find(({ type }) => type === uuidCommand)?.content
  const uuid = content === undefined || content.length < 24 ? null : content.toString('hex', 8, 24)
  return { architecture, uuid, fileType, ...range }
}

function splitCommands(
  bytes: Buffer,
  count: number,
  word: (bytes: Buffer, at: number) => number,
): LoadCommand[] {
  const commands: LoadCommand[] = []
  for (let at = 0; commands.length < count && at + 8 <= bytes.length;) {
    const length = word(bytes, at + 4)
    if (length < 8) break
    commands.push({ type: word(bytes, at), content: bytes.subarray(at, at + length) })
    at += length
  }
  return commands
}

function architectureOf(type: number, subtype: number): string | undefined {
  // The upper byte of the subtype contains flags.
  return type === arm ? (armArchitectures[subtype & 0xffffff] ?? 'armv7') : architectures[type]
}
