import type { ZipArchive } from '../archives/zip.ts'
import { cleanText, orNull } from '../bytes.ts'
import { InspectionError, type ByteSource, type DebugId } from '../inspection.ts'
import { baseName } from './executable-names.ts'
import { readDebugIds, type Origin } from './read-debug-ids.ts'

export const maxDebugIds = 500
export const maxFiles = 500
/**
 * Only universal files with several architectures, and ELF files whose role is unknown, are inflated further than their first
 * part.
 */
const maxInflatedBytes = 512 * 2 ** 20
const maxPathLength = 500
export const maxDatabaseBytes = 128 * 2 ** 20

/**
 * Returns the IDs of these files of an archive, whose bytes are read from `source`. Stops at 500 files, 500 IDs or
 * 512 MiB of inflated data.
 */
export async function readArchivedDebugIds(
  zip: ZipArchive,
  source: ByteSource,
  files: { path: string; role?: DebugId['role'] }[],
): Promise<DebugId[]> {
  let remainingBytes = maxInflatedBytes
  const spend = (bytes: number) => {
    remainingBytes -= bytes
    if (remainingBytes < 0) throw new InspectionError('The archive contains too many executables.')
  }
  const found: DebugId[] = []
  for (const { path, ...rest } of files.slice(0, maxFiles)) {
    if (remainingBytes < 0 || found.length >= maxDebugIds) break
    const origin = { name: baseName(path), path, ...rest }
    const ids = (await orNull(readEntry(zip, source, origin, spend))) ?? []
    found.push(...ids.map((id) => shownId(id, path)))
  }
  return found.slice(0, maxDebugIds)
}

/** Returns an ID with the path of its file, in which text is printable. */
export const shownId = (id: DebugId, path: string): DebugId => ({
  ...id,
  name: cleanText(id.name),
  path: cleanText(path, maxPathLength),
})

async function readEntry(
  zip: ZipArchive,
  source: ByteSource,
  origin: Origin & { path: string },
  spend: (bytes: number) => void,
): Promise<DebugId[]> {
  // The directory of a program database is often at its end.
  if (origin.path.toLowerCase().endsWith('.pdb')) {
    const database = await zip.open(origin.path, maxDatabaseBytes)
    spend(Math.min(database.sizeBytes, maxDatabaseBytes))
    return readDebugIds(database, origin)
  }
  await using entry = await zip.openForward(origin.path, source, spend)
  return await readDebugIds(entry, origin)
}

/** Returns whether this is the executable of a framework, an extension or another bundle, or a dynamic library. */
export function isBundleExecutable(path: string): boolean {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  if (name.endsWith('.dylib')) return true
  if (parts.at(-2) === 'MacOS' && parts.at(-3) === 'Contents') return true
  // Frameworks of macOS have folders of versions.
  const bundle = parts.at(-3) === 'Versions' ? parts.at(-4) : parts.at(-2)
  return ['framework', 'appex', 'app', 'xpc', 'bundle'].some((extension) => bundle === `${name}.${extension}`)
}
