import { readBytes } from '../bytes.ts'
import { damagedElf, listSections, numbers, sectionType, segmentType, type ElfFile } from './elf-file.ts'

const maxNoteSegments = 64
const maxNoteBytes = 64 * 1024
/** GNU build IDs have 20 bytes by default. Linkers accept any length. */
const maxBuildIdBytes = 64

export type ElfNote = { owner: string; type: number; content: Buffer }

type Range = { offset: number; sizeBytes: number; alignment: number }

/**
 * Yields the notes of the segments, which are at the beginning of the file, and then those of the sections. Object files
 * and kernel modules have only sections.
 */
export async function* listNotes(elf: ElfFile): AsyncGenerator<ElfNote, void, undefined> {
  const inSegments = elf.segments
    .filter(({ type }) => type === segmentType.note)
    .map(({ offset, fileBytes, alignment }) => ({ offset, sizeBytes: fileBytes, alignment }))
  yield* notesAt(elf, inSegments)
  const sections = await listSections(elf)
  yield* notesAt(
    elf,
    sections.filter(({ type }) => type === sectionType.note),
  )
}

async function* notesAt(elf: ElfFile, ranges: readonly Range[]): AsyncGenerator<ElfNote, void, undefined> {
  for (const { offset, sizeBytes, alignment } of ranges.slice(0, maxNoteSegments)) {
    const length = Math.min(sizeBytes, maxNoteBytes)
    // The segments of files that contain only debugging information can be outside the file.
    if (offset + length > elf.source.sizeBytes) continue
    yield* notesIn(elf, await readBytes(elf.source, offset, length, damagedElf), alignment === 8 ? 8 : 4)
  }
}

function* notesIn({ endian }: ElfFile, bytes: Buffer, alignment: number): Generator<ElfNote> {
  const pad = (length: number) => Math.ceil(length / alignment) * alignment
  for (let at = 0; at + 12 <= bytes.length;) {
    const { word } = numbers(bytes.subarray(at), endian, false)
    const [nameBytes, contentBytes, type] = [word(0), word(4), word(8)]
    const contentAt = at + pad(12 + nameBytes)
    const owner = bytes.toString('latin1', at + 12, at + 12 + nameBytes).replace(/\0$/, '')
    if (contentAt + contentBytes <= bytes.length)
      yield { owner, type, content: bytes.subarray(contentAt, contentAt + contentBytes) }
    at = contentAt + pad(contentBytes)
  }
}

/** Returns the GNU build ID as lowercase hexadecimal digits, or null. */
export async function readBuildId(elf: ElfFile): Promise<string | null> {
  for await (const { owner, type, content } of listNotes(elf)) {
    const isBuildId = owner === 'GNU' && type === 3
    if (isBuildId && content.length > 0 && content.length <= maxBuildIdBytes) return content.toString('hex')
  }
  return null
}
