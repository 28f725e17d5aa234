import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DatabaseDump, OpenFile, SaveFile } from '../../database/copy/dump-database.ts'
import { writePrivateFile } from '../../lib/durable-file.ts'
import { isErrno, problem, type Problem } from '../../lib/problem.ts'

/**
 * Returns the paths in a backup folder:
 *   backup.json     the manifest, which is written last: a folder without it is incomplete
 *   database/       one compressed file for each table
 *   storage/        the files, with the same layout as in the data folder
 *   secret          the master secret, unless it is set with QUAYSIDE_SECRET
 */
export const backupPaths = (folder: string) => ({
  manifest: join(folder, 'backup.json'),
  database: join(folder, 'database'),
  storage: join(folder, 'storage'),
  secret: join(folder, 'secret'),
})

export type BackupManifest = {
  format: typeof format
  created_at: string
  server_version: string
  has_secret: boolean
  /** Where the files were stored; absent in backups of earlier versions, whose files were in the data folder. */
  storage?: 'local' | 's3'
  /** Only in a bucket; a folder contains it in `storage/`. */
  installation_id?: string
  database: DatabaseDump
}

const format = 1

export async function writeManifest(folder: string, manifest: Omit<BackupManifest, 'format'>): Promise<void> {
  await writePrivateFile(backupPaths(folder).manifest, formatManifest(manifest))
}

export const formatManifest = (manifest: Omit<BackupManifest, 'format'>): string =>
  `${JSON.stringify({ format, ...manifest }, undefined, 2)}\n`

/** Returns the manifest. Throws if the folder is not a complete backup in a known format. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = backupPaths(folder).manifest
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
    throw incompleteBackup({ backup: folder })
  })
  return parseManifest(text, folder)
}

export const incompleteBackup = problem(
  'not_found',
  'backup.incomplete',
  '{backup} is not a complete backup: it contains no backup.json. Use another backup.',
)

/** Throws if the format is unknown. `location` is for the message. */
export function parseManifest(text: string, location: string): BackupManifest {
  const manifest = JSON.parse(text) as BackupManifest
  if (manifest.format === format) return manifest
  throw unknownFormat({ location, version: manifest.server_version })
}

const unknownFormat = problem(
  'conflict',
  'backup.unknown_format',
  'The backup {location} was made with version {version}. Restore it with that version or a newer one.',
)

export const saveInFolder =
  (folder: string): SaveFile =>
  (name, chunks) =>
    pipeline(chunks, createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600, flush: true }))

export const openInFolder =
  (folder: string): OpenFile =>
  (name) =>
    createReadStream(join(folder, name))

// lost+found exists in the root folder of some file systems. Commands and the service create the lock file.
const ignoredNames = new Set(['lost+found', 'instance.lock'])

/** Creates a folder that only its owner can access. Throws if it exists and contains files. */
export async function createEmptyFolder(
  folder: string,
  notEmpty: (values: { folder: string; found: string }) => Problem,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = (await readdir(folder)).find((name) => !ignoredNames.has(name))
  if (found === undefined) return
  throw notEmpty({ folder, found })
}
