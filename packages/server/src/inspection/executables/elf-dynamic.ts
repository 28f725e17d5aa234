import { parseOr, readBytes, textAt } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'
import { damagedElf, numbers, segmentType, type ElfFile } from './elf-file.ts'

const maxDynamicBytes = 2 ** 20
const maxStringBytes = 64 * 2 ** 20
const maxDependencies = 500
const dynamicTag = { needed: 1, stringTable: 5, stringTableBytes: 10, name: 14 }

export type DynamicSection = {
  /** The name that a library declares (`DT_SONAME`). */
  soname: string | null
  /** The libraries that the file loads (`DT_NEEDED`). */
  dependencies: string[]
}

/** Reads what the dynamic linker reads. Files that are linked statically have no dynamic section. */
export async function readDynamicSection(elf: ElfFile): Promise<DynamicSection> {
  const entries = await readEntries(elf)
  const valueOf = (wanted: number) => entries.find(({ tag }) => tag === wanted)?.value
  const strings = await readStrings(
    elf,
    valueOf(dynamicTag.stringTable),
    valueOf(dynamicTag.stringTableBytes) ?? 0,
  )
  if (strings === undefined) return { soname: null, dependencies: [] }
  const nameOffset = valueOf(dynamicTag.name)
  return parseOr(damagedElf, () => ({
    soname: nameOffset === undefined ? null : textAt(strings, nameOffset),
    dependencies: entries
      .filter(({ tag }) => tag === dynamicTag.needed)
      .slice(0, maxDependencies)
      .map(({ value }) => textAt(strings, value)),
  }))
}

async function readEntries(elf: ElfFile): Promise<{ tag: number; value: number }[]> {
  const { source, endian, is64Bit } = elf
  const segment = elf.segments.find(({ type }) => type === segmentType.dynamic)
  if (segment === undefined || segment.fileBytes === 0 || segment.fileBytes > maxDynamicBytes) return []
  // In files that contain only debugging information, the segment has no content.
  if (segment.offset + segment.fileBytes > source.sizeBytes) return []
  const bytes = await readBytes(source, segment.offset, segment.fileBytes, damagedElf)
  const { word } = numbers(bytes, endian, is64Bit)
  const entryBytes = is64Bit ? 16 : 8
  const lowWord = (at: number) => word(is64Bit && endian === 'BE' ? at + 4 : at)
  const entries: { tag: number; value: number }[] = []
  for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes) {
    const tag = lowWord(at)
    if (tag === 0) break
    if (!Object.values(dynamicTag).includes(tag)) continue
    const { address } = numbers(bytes, endian, is64Bit)
    entries.push({ tag, value: parseOr(damagedElf, () => address(at + entryBytes / 2)) })
  }
  return entries
}

/** Reads the strings, whose position is an address in memory. */
async function readStrings(
  { source, segments }: ElfFile,
  address: number | undefined,
  sizeBytes: number,
): Promise<Buffer | undefined> {
  if (address === undefined) return undefined
  const segment = segments.find(
    ({ type, address: start, fileBytes }) =>
      type === segmentType.load && address >= start && address + sizeBytes <= start + fileBytes,
  )
  if (segment === undefined) return undefined
  if (sizeBytes > maxStringBytes) throw new InspectionError(damagedElf)
  return readBytes(source, segment.offset + address - segment.address, sizeBytes, damagedElf)
}
