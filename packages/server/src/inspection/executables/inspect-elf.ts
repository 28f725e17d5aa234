import { cleanText, parseOrNull } from '../bytes.ts'
import { readDebugIds } from '../debug-ids/read-debug-ids.ts'
import { emptyInspection, unknownPackage, type ByteSource, type Inspection } from '../inspection.ts'
import { readDynamicSection } from './elf-dynamic.ts'
import { numbers, readElfFile, type ElfFile } from './elf-file.ts'
import { listNotes, type ElfNote } from './elf-notes.ts'

const maxNotes = 100
const systemVersionNote = 1
const packageMetadataNote = 0xcafe1a7e

/** Reads the metadata of an executable, library or kernel module in ELF format. */
export async function inspectElf(source: ByteSource): Promise<Inspection> {
  const elf = await readElfFile(source)
  const notes = await firstNotes(elf)
  const { soname, dependencies } = await readDynamicSection(elf)
  const metadata = packageMetadataIn(notes)
  return {
    ...emptyInspection,
    file_info: {
      ...unknownPackage,
      format: 'elf',
      name: metadata.name ?? cleanText(soname),
      version: metadata.version,
      minimum_os: minimumSystem(elf, notes),
      architectures: elf.architecture === undefined ? [] : [elf.architecture],
      dependencies: dependencies.flatMap((name) => cleanText(name) ?? []),
    },
    debug_ids: await readDebugIds(source, { name: null, path: null }),
  }
}

async function firstNotes(elf: ElfFile): Promise<ElfNote[]> {
  const notes: ElfNote[] = []
  for await (const note of listNotes(elf)) if (notes.push(note) >= maxNotes) break
  return notes
}

/** Returns the oldest kernel or API level of Android for which the file was linked. */
function minimumSystem({ endian }: ElfFile, notes: readonly ElfNote[]): string | null {
  const contentOf = (wanted: string) =>
    notes.find(({ owner, type }) => owner === wanted && type === systemVersionNote)?.content
  const [android, gnu] = [contentOf('Android'), contentOf('GNU')]
  if (android !== undefined)
    return parseOrNull(() => `Android API ${numbers(android, endian, false).word(0)}`)
  if (gnu === undefined) return null
  return parseOrNull(() => {
    const { word } = numbers(gnu, endian, false)
    return word(0) === 0 ? `Linux ${word(4)}.${word(8)}.${word(12)}` : null
  })
}

/** Returns the package that some distributions record in executables (https://systemd.io/PACKAGE_METADATA_FOR_EXECUTABLE_FILES). */
function packageMetadataIn(notes: readonly ElfNote[]): { name: string | null; version: string | null } {
  const note = notes.find(({ owner, type }) => owner === 'FDO' && type === packageMetadataNote)
  const text = (value: unknown) => (typeof value === 'string' ? cleanText(value) : null)
  try {
    const found = Object(JSON.parse(note?.content.toString('utf8').replace(/\0+$/, '') ?? '{}')) as Record<
      string,
      unknown
    >
    return { name: text(found['name']), version: text(found['version']) }
  } catch {
    return { name: null, version: null }
  }
}
