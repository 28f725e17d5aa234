import type { Task } from '../parent-source.ts'

/** The names of the files in the folder of a process: what it reads, and the patch that it writes. */
export const patchingFiles = {
  old: 'old',
  file: 'file',
  index: 'file.chunks',
  patch: 'patch',
} as const

export type Patching = {
  /** Absolute path of a folder with the files in `patchingFiles` except the patch, and for temporary files. */
  folder: string
  /** The SHA-256 of the two files in hexadecimal. */
  sha256: { old: string; file: string }
  /** The patch must be smaller than the chunks that it replaces by at least this number of bytes. */
  minSavedBytes: number
}

/** The first message to the process. */
export type PatchingTask = Task & Patching & { maxContentBytes: number }
