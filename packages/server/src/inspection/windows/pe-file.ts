import { parseOr, readBytes, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

const damaged = 'The Windows executable is damaged.'
const headerBytes = 4096
const sectionBytes = 40
const maxSections = 96

/** Maps machine types of PE files to architectures of the catalog. */
const architectures: Readonly<Record<number, string>> = {
  0x014c: 'x86',
  0x8664: 'x64',
  0x01c4: 'armv7',
  0xaa64: 'arm64v8',
  0x0200: 'ia64',
}

type Section = { address: number; sizeBytes: number; offset: number }
type Range = { address: number; sizeBytes: number }

/** The headers of a Windows executable or library (Microsoft PE format). */
export type PeFile = {
  source: ByteSource
  architecture: string | undefined
  /** The minimum version of Windows, such as `6.1` for Windows 7. */
  subsystemVersion: string
  /** The time stamp and the size of the image in memory, with which symbol servers identify executables. */
  codeId: string
  debug: Range
  /** The tables of libraries that are loaded at startup, and of those that are loaded when they are first used. */
  imports: Range
  delayedImports: Range
  resources: Range
  /** The `address` of this table is an offset in the file, unlike that of other tables. */
  certificates: Range
  /** The offsets in the file of the checksum and of the reference to the certificates, which signatures do not cover. */
  checksumOffset: number
  certificatesEntryOffset: number
  sections: Section[]
}

/** Reads the headers. Returns undefined for DOS executables, whose first bytes are the same. */
export async function readPeFile(source: ByteSource): Promise<PeFile | undefined> {
  const start = await readBytes(source, 0, Math.min(headerBytes, source.sizeBytes), damaged)
  const offset = start.length < 0x40 ? source.sizeBytes : start.readUInt32LE(0x3c)
  if (offset >= source.sizeBytes) return undefined
  const headers = await readBytes(source, offset, Math.min(headerBytes, source.sizeBytes - offset), damaged)
  if (headers.toString('latin1', 0, 4) !== 'PE\0\0') return undefined
  return parseOr(damaged, () => {
    const sectionCount = headers.readUInt16LE(6)
    const optionalBytes = headers.readUInt16LE(20)
    const optional = headers.subarray(24)
    const directoriesOffset = optional.readUInt16LE(0) === 0x20b ? 112 : 96
    const directories = optional.subarray(directoriesOffset, optionalBytes)
    const directory = (index: number): Range =>
      directories.length < index * 8 + 8
        ? { address: 0, sizeBytes: 0 }
        : { address: directories.readUInt32LE(index * 8), sizeBytes: directories.readUInt32LE(index * 8 + 4) }
    return {
      source,
      architecture: architectures[headers.readUInt16LE(4)],
      subsystemVersion: `${optional.readUInt16LE(48)}.${optional.readUInt16LE(50)}`,
      codeId: headers.readUInt32LE(8).toString(16).padStart(8, '0') + optional.readUInt32LE(56).toString(16),
      debug: directory(6),
      imports: directory(1),
      delayedImports: directory(13),
      resources: directory(2),
      certificates: directory(4),
      checksumOffset: offset + 24 + 64,
      certificatesEntryOffset: offset + 24 + directoriesOffset + 4 * 8,
      sections: Array.from({ length: Math.min(sectionCount, maxSections) }, (_, index) =>
        readSection(slice(headers, 24 + optionalBytes + index * sectionBytes, sectionBytes)),
      ),
    }
  })
}

function readSection(header: Buffer): Section {
  return {
    address: header.readUInt32LE(12),
    sizeBytes: header.readUInt32LE(16),
    offset: header.readUInt32LE(20),
  }
}

/** Reads bytes at a relative virtual address. */
export function readAddress({ source, sections }: PeFile, address: number, length: number): Promise<Buffer> {
  const section = sections.find(
    (found) => address >= found.address && address + length <= found.address + found.sizeBytes,
  )
  if (section === undefined) return Promise.reject(new InspectionError(damaged))
  return readBytes(source, section.offset + address - section.address, length, damaged)
}

/** Reads the bytes from a relative virtual address to the end of its section, but at most `maxBytes`. */
export function readAddressUpTo(
  { source, sections }: PeFile,
  address: number,
  maxBytes: number,
): Promise<Buffer> {
  const section = sections.find(
    (found) => address >= found.address && address < found.address + found.sizeBytes,
  )
  if (section === undefined) return Promise.reject(new InspectionError(damaged))
  const offset = section.offset + address - section.address
  const length = Math.min(maxBytes, section.address + section.sizeBytes - address, source.sizeBytes - offset)
  return readBytes(source, offset, length, damaged)
}
