import { loadModule } from '../api/load-module.ts'
import { uploadText } from '../text/builds/upload.ts'
import { sampleOf } from './file-sample.ts'
import type { OpenFolder } from './folder/open-folder.ts'
import type { Chosen } from './upload.ts'

/** Thrown if the file on disk was changed, moved or deleted. */
export class FileGoneError extends Error {
  override readonly name = 'FileGoneError'
}

/** What an upload sends: a file, or a folder as an archive that is created while it is sent. */
export type UploadSource = {
  sizeBytes: number
  partsAtOnce: number
  slice: (start: number, end: number) => Blob | Promise<Blob>
  /** Throws if a range can no longer be read. */
  requireReadable: (start: number, end: number) => Promise<void>
  /** Returns how many files of a folder the first bytes contain. */
  countFiles?: (sentBytes: number) => number
  close?: () => void
}

export type OpenedSource = {
  source: UploadSource
  filename: string
  lastModified: number
  /** Recognizes the file or folder when it is chosen again. */
  sample: string
  /** The number of files in a folder; null for a file. */
  folderFiles: number | null
}

/** Returns the source of a file, which the browser reads from disk while it is sent. */
export const sourceOf = (file: File): UploadSource => ({
  sizeBytes: file.size,
  partsAtOnce: 3,
  slice: (start, end) => file.slice(start, end),
  // Browsers report a file that changed on disk as a network error.
  async requireReadable() {
    await file.slice(0, 1).arrayBuffer()
  },
})

/** Opens a file, or reads a folder to find out the size of its archive. */
export async function openSource(chosen: Chosen, options: OpenFolder): Promise<OpenedSource> {
  if ('folder' in chosen) {
    const { openFolder } = await loadModule(() => import('./folder/open-folder.ts'), false)
    return openFolder(chosen.folder, options)
  }
  const { file } = chosen
  if (file.size === 0) throw new Error(uploadText.emptyFile)
  return {
    source: sourceOf(file),
    filename: file.name,
    lastModified: file.lastModified,
    sample: await sampleOf(file),
    folderFiles: null,
  }
}
