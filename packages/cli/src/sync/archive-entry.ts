import type { ZipEntry } from '@quayside/sdk/zip-records'

/** A file, link or folder in the archive of a build. */
export type ArchiveEntry = {
  /** Path with `/` between its segments, which is relative to the folder. */
  path: string
  kind: 'file' | 'link' | 'folder'
  isExecutable: boolean
  isDeflated: boolean
  crc32: number
  storedBytes: number
  sizeBytes: number
  /** Position of the local header. */
  start: number
  /** Position of the next entry or of the directory. */
  end: number
  /** What the local header contains if `quayside upload` created the archive, otherwise undefined. */
  zip: ZipEntry | undefined
}

/** The bytes of an archive, in a downloaded file or in chunks that are fetched when they are needed. */
export type Archive = {
  filename: string
  sizeBytes: number
  /** Reads a range at any position. */
  readAt(start: number, sizeBytes: number): Promise<Buffer>
  /** Yields the bytes of a range. Ranges are requested in ascending order. */
  read(start: number, end: number): AsyncGenerator<Buffer>
}

/** How the file system of the folder compares and restricts names. */
export type NameRules = {
  /** Names that differ only in case or Unicode normalization are the same file. */
  foldsNames: boolean
  isWindows: boolean
}

/** Returns the text by which paths are compared. */
export const pathKey = (path: string, { foldsNames }: Pick<NameRules, 'foldsNames'>): string =>
  foldsNames ? path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC') : path

/** Returns the paths of the folders that contain a path, the outermost first. */
export function* parentsOf(path: string): Generator<string> {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) yield path.slice(0, end)
}
