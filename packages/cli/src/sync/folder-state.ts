import type { BigIntStats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { writePrivateFile } from '../files/private-file.ts'

/** What a sync wrote. It applies as long as the file has this size and modification time. */
export type FileRecord = { sizeBytes: number; mtimeNs: bigint; crc32: number }

/** The files that belong to the build in a folder, with what is known of each. A folder ends with `/`. */
export type FolderState = {
  /** The build whose content the folder has, or undefined during a sync. */
  buildId: string | undefined
  /** The SHA-256 of the archive of the last build with which a sync ended. */
  archiveSha256?: string | undefined
  files: Map<string, FileRecord | undefined>
}

type SavedFile = [path: string, sizeBytes?: number, mtimeNs?: string, crc32?: number]
type SavedState = {
  version: number
  build_id: string | null
  archive_sha256?: string | null
  files: SavedFile[]
}

const version = 1

/** Returns the saved state, or an empty one if there is none or if it cannot be read. */
export async function loadFolderState(path: string): Promise<FolderState> {
  const files = new Map<string, FileRecord | undefined>()
  try {
    const saved = JSON.parse(await readFile(path, 'utf8')) as SavedState
    if (saved.version !== version) return { buildId: undefined, files }
    for (const [name, sizeBytes, mtimeNs, crc32] of saved.files)
      files.set(
        name,
        sizeBytes === undefined || mtimeNs === undefined || crc32 === undefined
          ? undefined
          : { sizeBytes, mtimeNs: BigInt(mtimeNs), crc32 },
      )
    const archiveSha256 = saved.archive_sha256 ?? undefined
    return { buildId: saved.build_id ?? undefined, archiveSha256, files }
  } catch {
    return { buildId: undefined, files: new Map() }
  }
}

/** Replaces the state atomically. */
export async function saveFolderState(
  path: string,
  { buildId, archiveSha256, files }: FolderState,
): Promise<void> {
  const saved: SavedState = {
    version,
    build_id: buildId ?? null,
    archive_sha256: archiveSha256 ?? null,
    files: [...files].map(([name, record]) =>
      record === undefined ? [name] : [name, record.sizeBytes, String(record.mtimeNs), record.crc32],
    ),
  }
  await writePrivateFile(path, JSON.stringify(saved))
}

/** Returns the CRC-32 of a file if it has not changed since it was recorded. */
export const recordedCrc = (record: FileRecord | undefined, stats: BigIntStats): number | undefined =>
  record !== undefined && BigInt(record.sizeBytes) === stats.size && record.mtimeNs === stats.mtimeNs
    ? record.crc32
    : undefined

export const recordOf = (stats: BigIntStats, crc32: number): FileRecord => ({
  sizeBytes: Number(stats.size),
  mtimeNs: stats.mtimeNs,
  crc32,
})
