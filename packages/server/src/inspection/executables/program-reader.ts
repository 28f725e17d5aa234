import type { ByteSource, Inspection } from '../inspection.ts'
import { inspectAppImage } from '../linux/inspect-appimage.ts'
import { recognizeProgram, type ProgramFormat } from '../recognize-format.ts'
import { inspectExecutable } from '../windows/inspect-executable.ts'
import { inspectElf } from './inspect-elf.ts'
import { inspectMachO } from './inspect-mach-o.ts'

/**
 * Reads metadata from `source`. Verifies the signature with `content`, whose reads fail once that takes too long. The type of
 * an uploaded file decides whether a damaged package is rejected or treated as another file.
 */
export type Reader = (source: ByteSource, content: ByteSource, filetype?: string) => Promise<Inspection>

export const programReaders: Readonly<Record<ProgramFormat, Reader>> = {
  appimage: inspectAppImage,
  elf: inspectElf,
  'mach-o': inspectMachO,
  pe: inspectExecutable,
}

/** Returns the reader for an executable or library with these first bytes, or undefined for other files. */
export function programReader(head: Buffer): Reader | undefined {
  const format = recognizeProgram(head)
  return format && programReaders[format]
}
