import { cleanText, parseOr, readBytes, readUint64, slice, textAt } from '../bytes.ts'
import type { ByteSource } from '../inspection.ts'
import type { Endian } from './elf-file.ts'
import { readHeader, type LoadCommand, type MachOSlice } from './mach-o.ts'

const damaged = 'The Mach-O file is damaged.'
const maxDependencies = 500
const maxPlistBytes = 2 ** 20

/** Types of load commands (mach-o/loader.h). Some are combined with a flag that requires dyld to know the command. */
const commandType = { segment: 0x01, segment64: 0x19, installName: 0x0d, signature: 0x1d, buildVersion: 0x32 }
const loadsLibrary = new Set([0x0c, 0x18, 0x1f, 0x20, 0x23])
const flag = 0x80000000

/** Commands that state the oldest system, before `buildVersion` replaced them. */
const systemsByCommand: Readonly<Record<number, string>> = {
  0x24: 'macOS',
  0x25: 'iOS',
  0x2f: 'tvOS',
  0x30: 'watchOS',
}
const systemsByPlatform: Readonly<Record<number, string>> = {
  1: 'macOS',
  2: 'iOS',
  3: 'tvOS',
  4: 'watchOS',
  6: 'Mac Catalyst',
  7: 'iOS Simulator',
  8: 'tvOS Simulator',
  9: 'watchOS Simulator',
  10: 'DriverKit',
  11: 'visionOS',
  12: 'visionOS Simulator',
}

/** What the load commands of one architecture state. */
export type MachOInfo = {
  /** The install name and the version of a library, such as `@rpath/libquay.dylib`. */
  installName: string | null
  currentVersion: string | null
  dependencies: string[]
  system: string | null
  minimumVersion: string | null
  /** The position of the code signature in the slice. */
  signature: { offset: number; sizeBytes: number } | undefined
  /** The Info.plist that tools without a bundle contain. */
  infoPlist: Buffer | null
}

/** Reads the load commands of one architecture of a Mach-O file. Throws `InspectionError` if they are damaged. */
export async function readMachOInfo(source: ByteSource, range: MachOSlice): Promise<MachOInfo> {
  const { commands, endian } = await readHeader(source, range)
  const word = (bytes: Buffer, at: number) =>
    endian === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
  const find = (wanted: number) => commands.find(({ type }) => type === wanted)?.content
  const plist = parseOr(damaged, () => findPlist(commands, word, endian))
  const info = parseOr(damaged, () => {
    const library = find(commandType.installName)
    const signature = find(commandType.signature)
    return {
      installName: library === undefined ? null : cleanText(textAt(library, word(library, 8))),
      currentVersion: library === undefined ? null : versionOf(word(library, 16)),
      dependencies: commands
        .filter(({ type }) => loadsLibrary.has(type % flag))
        .slice(0, maxDependencies)
        .flatMap(({ content }) => cleanText(textAt(content, word(content, 8))) ?? []),
      ...minimumSystem(commands, word),
      signature:
        signature === undefined ? undefined : { offset: word(signature, 8), sizeBytes: word(signature, 12) },
    }
  })
  const isReadable = plist !== undefined && plist.sizeBytes <= maxPlistBytes
  return {
    ...info,
    infoPlist: isReadable
      ? await readBytes(source, range.offset + plist.offset, plist.sizeBytes, damaged)
      : null,
  }
}

type Word = (bytes: Buffer, at: number) => number

function minimumSystem(
  commands: readonly LoadCommand[],
  word: Word,
): Pick<MachOInfo, 'system' | 'minimumVersion'> {
  for (const { type, content } of commands) {
    if (type === commandType.buildVersion)
      return {
        system: systemsByPlatform[word(content, 8)] ?? null,
        minimumVersion: versionOf(word(content, 12)),
      }
    const system = systemsByCommand[type]
    if (system !== undefined) return { system, minimumVersion: versionOf(word(content, 8)) }
  }
  return { system: null, minimumVersion: null }
}

/** Returns a version that is stored as 16, 8 and 8 bits. A third part of 0 is omitted. */
function versionOf(value: number): string {
  const [major, minor, patch] = [value >>> 16, (value >>> 8) & 0xff, value & 0xff]
  return patch === 0 ? `${major}.${minor}` : `${major}.${minor}.${patch}`
}

/** Returns the position of the section `__TEXT,__info_plist`. */
function findPlist(
  commands: readonly LoadCommand[],
  word: Word,
  endian: Endian,
): { offset: number; sizeBytes: number } | undefined {
  for (const { type, content } of commands) {
    const is64Bit = type === commandType.segment64
    if (!is64Bit && type !== commandType.segment) continue
    const [headerBytes, sectionBytes] = is64Bit ? [72, 80] : [56, 68]
    for (let at = headerBytes; at + sectionBytes <= content.length; at += sectionBytes) {
      const section = slice(content, at, sectionBytes)
      if (textAt(section.subarray(0, 16), 0) !== '__info_plist') continue
      const sizeBytes = is64Bit ? readUint64(section, 40, endian) : word(section, 36)
      return { offset: word(section, is64Bit ? 48 : 40), sizeBytes }
    }
  }
  return undefined
}
