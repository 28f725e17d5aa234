import { parseOr, readBytes, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

export const damagedElf = 'The ELF file is damaged.'
const maxSegments = 1024
const maxSections = 65_536
const maxNamesBytes = 4 * 2 ** 20

/** Maps machine types of ELF files (elf.h) to architectures of the catalog. A pair is for 32-bit and 64-bit files. */
const architectures: Readonly<Record<number, string | readonly [string, string]>> = {
  2: 'sparc',
  3: 'x86',
  4: '680x0',
  8: ['mips', 'mips64'],
  15: 'pa-risc',
  18: 'sparc',
  20: 'ppc',
  21: 'ppc64',
  22: 'ibmz',
  40: 'armv7',
  42: 'sh4',
  43: 'sparc',
  50: 'ia64',
  51: 'mipsx',
  52: 'coldfire',
  62: 'x64',
  65: 'pdp11',
  75: 'vax',
  83: 'avr',
  93: 'arc-v1',
  94: 'xtensa',
  105: 'msp430',
  106: 'blackfin',
  113: 'nios2',
  165: '8051',
  173: 'rx',
  183: 'arm64v8',
  189: 'microblaze',
  195: 'arc-v2',
  220: 'z80',
  243: ['risc-v', 'risc-v64'],
  253: 'arc-v3',
  255: 'arc-v3',
  258: 'loongarch',
  0x9026: 'alpha',
}

export type Endian = 'LE' | 'BE'
export type ElfSegment = {
  type: number
  offset: number
  address: number
  fileBytes: number
  alignment: number
}
export type ElfSection = {
  name: string
  type: number
  offset: number
  sizeBytes: number
  link: number
  alignment: number
}

/** The headers of an executable, library or object file in ELF format. */
export type ElfFile = {
  source: ByteSource
  endian: Endian
  is64Bit: boolean
  /** 1 for object files, 2 for executables, 3 for libraries and position-independent executables. */
  type: number
  architecture: string | undefined
  segments: ElfSegment[]
  sectionTable: { offset: number; count: number; namesIndex: number }
}

export const segmentType = { load: 1, dynamic: 2, note: 4 }
export const sectionType = { strings: 3, note: 7, noBits: 8 }

export const isElf = (head: Buffer): boolean => head.toString('latin1', 0, 4) === '\u007fELF'

/** Reads the ELF header and the program headers. Throws `InspectionError` if they are damaged. */
export async function readElfFile(source: ByteSource): Promise<ElfFile> {
  const header = await readBytes(source, 0, Math.min(64, source.sizeBytes), damagedElf)
  const { fields, table } = parseOr(damagedElf, () => readHeader(header))
  const { is64Bit, endian } = fields
  const entryBytes = is64Bit ? 56 : 32
  if (table.count > 0 && table.entryBytes !== entryBytes) throw new InspectionError(damagedElf)
  const count = Math.min(table.count, maxSegments)
  const headers = await readBytes(source, table.offset, count * entryBytes, damagedElf)
  const segments = parseOr(damagedElf, () =>
    Array.from({ length: count }, (_, index) =>
      readSegment(slice(headers, index * entryBytes, entryBytes), { is64Bit, endian }),
    ),
  )
  return { source, ...fields, segments }
}

function readHeader(header: Buffer) {
  if (!isElf(header)) throw new InspectionError(damagedElf)
  const is64Bit = header.readUInt8(4) === 2
  const endian: Endian = header.readUInt8(5) === 2 ? 'BE' : 'LE'
  const { half, word, address } = numbers(header, endian, is64Bit)
  const machine = architectures[half(18)]
  // The fields after the two file offsets.
  const rest = is64Bit ? 48 : 36
  return {
    fields: {
      is64Bit,
      endian,
      type: half(16),
      architecture: typeof machine === 'object' ? machine[is64Bit ? 1 : 0] : machine,
      sectionTable: {
        offset: is64Bit ? address(40) : word(32),
        count: half(rest + 12),
        namesIndex: half(rest + 14),
      },
    },
    table: {
      offset: is64Bit ? address(32) : word(28),
      entryBytes: half(rest + 6),
      count: half(rest + 8),
    },
  }
}

function readSegment(header: Buffer, { is64Bit, endian }: { is64Bit: boolean; endian: Endian }): ElfSegment {
  const { word, address } = numbers(header, endian, is64Bit)
  return is64Bit
    ? {
        type: word(0),
        offset: address(8),
        address: address(16),
        fileBytes: address(32),
        alignment: address(48),
      }
    : { type: word(0), offset: word(4), address: word(8), fileBytes: word(16), alignment: word(28) }
}

/** Lists the sections. Throws `InspectionError` if they are damaged. Stripped files can have none. */
export async function listSections(elf: ElfFile): Promise<ElfSection[]> {
  const { source, is64Bit, endian, sectionTable } = elf
  const entryBytes = is64Bit ? 64 : 40
  if (sectionTable.offset === 0) return []
  const first = await readBytes(source, sectionTable.offset, entryBytes, damagedElf)
  // A file with more than 65,279 sections stores the count and the index of the names in its first section header.
  const initial = parseOr(damagedElf, () => readSection(first, { is64Bit, endian }))
  const count = sectionTable.count === 0 ? initial.sizeBytes : sectionTable.count
  const namesIndex = sectionTable.namesIndex === 0xffff ? initial.link : sectionTable.namesIndex
  if (count > maxSections) throw new InspectionError(damagedElf)
  const headers = await readBytes(source, sectionTable.offset, count * entryBytes, damagedElf)
  const sections = parseOr(damagedElf, () =>
    Array.from({ length: count }, (_, index) =>
      readSection(slice(headers, index * entryBytes, entryBytes), { is64Bit, endian }),
    ),
  )
  const table = sections[namesIndex]
  const hasNames =
    table !== undefined && table.type === sectionType.strings && table.sizeBytes <= maxNamesBytes
  const names = hasNames
    ? await readBytes(source, table.offset, table.sizeBytes, damagedElf)
    : Buffer.alloc(0)
  return sections.map(({ nameOffset, ...section }) => ({ name: textAt(names, nameOffset), ...section }))
}

function readSection(header: Buffer, { is64Bit, endian }: { is64Bit: boolean; endian: Endian }) {
  const { word, address } = numbers(header, endian, is64Bit)
  return {
    nameOffset: word(0),
    type: word(4),
    offset: is64Bit ? address(24) : word(16),
    sizeBytes: is64Bit ? address(32) : word(20),
    link: word(is64Bit ? 40 : 24),
    alignment: is64Bit ? address(48) : word(32),
  }
}

/** Returns the text up to the next NUL byte, of at most 255 bytes. */
function textAt(names: Buffer, offset: number): string {
  const text = names.subarray(offset, offset + 255)
  const end = text.indexOf(0)
  return text.toString('latin1', 0, end < 0 ? text.length : end)
}

/** Returns whether the file contains debugging information or a symbol table. */
export async function hasSymbols(elf: ElfFile): Promise<boolean> {
  const sections = await listSections(elf)
  return sections.some(
    ({ name, type }) => type !== sectionType.noBits && /^\.z?debug_(info|line)$|^\.symtab$/.test(name),
  )
}

/** Readers of numbers at an offset. Addresses are file offsets and sizes of 32 or 64 bits. */
export function numbers(bytes: Buffer, endian: Endian, is64Bit: boolean) {
  const word = (at: number) => (endian === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  return {
    half: (at: number) => (endian === 'LE' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
    word,
    // Addresses in kernels exceed 2^53. They need not be exact, because offsets in a file are below.
    address: (at: number) =>
      is64Bit ? Number(endian === 'LE' ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at)) : word(at),
  }
}
