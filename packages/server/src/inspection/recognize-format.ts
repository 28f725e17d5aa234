import { isTrailer, trailerBytes } from './apple/udif.ts'
import { artifactFiletype } from './artifacts/artifact-format.ts'
import { readHead, readTail } from './bytes.ts'
import { isElf } from './executables/elf-file.ts'
import { isMachO } from './executables/mach-o.ts'
import type { ByteSource } from './inspection.ts'

/** Formats of executables and libraries, which can also be in archives. */
export type ProgramFormat = 'appimage' | 'elf' | 'mach-o' | 'pe'

/** File formats that readers exist for. A file in one of them may still contain no metadata. */
export type FileFormat =
  | ProgramFormat
  | 'aab'
  | 'apk'
  | 'compound-file'
  | 'deb'
  | 'dmg'
  | 'encrypted-dmg'
  | 'flatpak'
  | 'gz'
  | 'ipa'
  | typeof artifactFiletype
  | 'rpm'
  | 'squashfs'
  | 'xar'
  | 'xz'
  | 'zip'
  | 'zst'

/** File types that require one format. Files in another format are rejected. */
const requiredFormats: Readonly<Record<string, FileFormat>> = {
  aab: 'aab',
  apk: 'apk',
  ipa: 'ipa',
  [artifactFiletype]: artifactFiletype,
}

/** The first bytes of formats. */
const magics: readonly (readonly [Buffer, FileFormat])[] = [
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'compound-file'],
  [Buffer.from('!<arch>\ndebian-binary'), 'deb'],
  [Buffer.from('encrcdsa'), 'encrypted-dmg'],
  [Buffer.from('flatpak\0\u0001\0\u0089\u00e5', 'latin1'), 'flatpak'],
  [Buffer.from('1f8b08', 'hex'), 'gz'],
  [Buffer.from('edabeedb', 'hex'), 'rpm'],
  [Buffer.from('hsqs'), 'squashfs'],
  [Buffer.from('xar!'), 'xar'],
  [Buffer.from('fd377a585a00', 'hex'), 'xz'],
  [Buffer.from('PK\u0003\u0004'), 'zip'],
  [Buffer.from('28b52ffd', 'hex'), 'zst'],
]

const headBytes = 64

/**
 * Returns the format of an uploaded file, or undefined if it is unknown. Only the file types of mobile applications
 * determine the format; that of other files is recognized by their content.
 */
export async function recognizeFormat(source: ByteSource, filetype: string): Promise<FileFormat | undefined> {
  const required = requiredFormats[filetype]
  if (required !== undefined) return required
  const head = await readHead(source, headBytes)
  // A disk image starts with its first chunk, which can have the first bytes of another format.
  if (isTrailer(await readTail(source, trailerBytes))) return 'dmg'
  return recognizeProgram(head) ?? magics.find(([magic]) => head.subarray(0, magic.length).equals(magic))?.[1]
}

/** Returns the format of an executable or library with these first bytes, or undefined for other files. */
export function recognizeProgram(head: Buffer): ProgramFormat | undefined {
  const text = head.toString('latin1', 0, 11)
  // A type 2 AppImage is an executable with additional magic bytes.
  if (isElf(head)) return text.endsWith('AI\u0002') ? 'appimage' : 'elf'
  if (isMachO(head)) return 'mach-o'
  return text.startsWith('MZ') ? 'pe' : undefined
}
