import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '../../lib/durable-file.ts'
import { isErrno, Problem, problem } from '../../lib/problem.ts'
import { acquireInstanceLock } from '../../start/instance-lock.ts'
import { signBytes, type ExportKey } from './export-key.ts'
import type { Column } from './read-rows.db.ts'

/**
 * Returns the paths in an export folder:
 *   manifest.json, manifest.json.sig  the content of the export and its signature, which are written last
 *   rows/                             one file with a JSON object per line for each table
 *   files.jsonl                       the stored files with their checksums, one per line
 *   files/                            the stored files, named by their SHA-256 checksums
 *   export.json                       the rows of an export whose files are not complete
 */
export const exportPaths = (folder: string) => ({
  manifest: join(folder, 'manifest.json'),
  signature: join(folder, 'manifest.json.sig'),
  plan: join(folder, 'export.json'),
  rows: (table: string) => join(folder, 'rows', `${table}.jsonl`),
  index: join(folder, 'files.jsonl'),
  file: (sha256: string) => join(folder, 'files', sha256.slice(0, 2), sha256),
})

export type ExportedRows = { name: string; rows: number; sha256: string; columns: Column[] }

/** Describes the rows of an export, which are complete before the first stored file is copied. */
export type ExportPlan = {
  format: typeof format
  id: string
  created_at: string
  server_version: string
  /** The number of the latest migration of the database. */
  schema_version: number
  source: { url: string; installation_id: string | null }
  scope: { workspace_id: string; application_id: string | null }
  /** Whether the export contains the secrets of webhooks, encrypted with a passphrase. */
  has_secrets: boolean
  tables: ExportedRows[]
  /** The list of the stored files to copy. */
  stored_objects: ExportedRows
}

export type ExportManifest = ExportPlan & {
  files: { count: number; size_bytes: number; sha256: string }
  public_key: string
}

/** A line of files.jsonl. */
export type ExportedFile = {
  key: string
  size_bytes: number
  sha256: string
  md5: string
  icon_type: string | null
}

export const format = 1

/** Returns the plan of an export that was started in this folder, or undefined if its rows are not complete. */
export const findPlan = (folder: string): Promise<ExportPlan | undefined> =>
  findJson<ExportPlan>(exportPaths(folder).plan)

export const savePlan = (folder: string, plan: ExportPlan): Promise<void> =>
  writePrivateFile(exportPaths(folder).plan, toText(plan))

/** Returns the manifest of a complete export, or undefined if the export is not complete. Does not verify it. */
export const findManifest = (folder: string): Promise<ExportManifest | undefined> =>
  findJson<ExportManifest>(exportPaths(folder).manifest)

/** Signs and saves the manifest. The signature is written first, so an export with a manifest is complete. */
export async function saveManifest(
  folder: string,
  key: ExportKey,
  manifest: Omit<ExportManifest, 'public_key'>,
): Promise<void> {
  const text = toText({ ...manifest, public_key: key.publicKey })
  const paths = exportPaths(folder)
  const signature = `${signBytes(key, Buffer.from(text))}\n`
  await writePrivateFile(paths.signature, signature, { overwrites: true })
  await writePrivateFile(paths.manifest, text)
}

/** Runs the work while no other command uses the folder, which is created if it does not exist. */
export async function withLockedFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  // The lock file is written, so a link in a folder of someone else must not lead to another file.
  const found = await lstat(join(folder, 'instance.lock')).catch(ignoreMissing)
  if (found?.isFile() === false) throw lockNotAFile({ path: join(folder, 'instance.lock') })
  const lock = await acquireInstanceLock(folder).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'instance.running') throw error
    throw folderInUse({ folder })
  })
  return work().finally(() => lock.release())
}

const lockNotAFile = problem(
  'conflict',
  'export.damaged',
  '{path} is not a regular file. Delete it, then rerun the command.',
)

const folderInUse = problem(
  'conflict',
  'export.in_use',
  'Another command is using {folder}. Wait until it ends, or stop it.',
)

const toText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

async function findJson<T>(path: string): Promise<T | undefined> {
  const text = await findText(path)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T)
  } catch {
    throw fileDamaged({ path })
  }
}

const fileDamaged = problem(
  'conflict',
  'export.damaged',
  '{path} is damaged: it is not JSON. Delete the folder, then export again.',
)

const findText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(ignoreMissing)

function ignoreMissing(error: unknown): undefined {
  if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
}
