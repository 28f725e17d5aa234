import { maxStreamedBytes } from '../archives/decompress-stream.ts'
import { byteBudget, orNull, readHead } from '../bytes.ts'
import { baseName, mayBeExecutable } from '../debug-ids/executable-names.ts'
import { maxDebugIds, maxFiles, shownId } from '../debug-ids/read-archived-debug-ids.ts'
import { mayHaveDebugIds, readDebugIds } from '../debug-ids/read-debug-ids.ts'
import { InspectionError, type DebugId } from '../inspection.ts'
import type { Squashfs, SquashfsFile } from './squashfs.ts'

const headBytes = 64

/**
 * Returns the IDs of the executables in a file system. Stops at 500 executables, 500 IDs, or after decompressing 256 MiB, or
 * 64 MiB of XZ data. Returns those before an error if the file system is damaged.
 */
export async function readSquashfsDebugIds(files: Squashfs): Promise<DebugId[]> {
  const maxBytes = maxStreamedBytes[files.compression === 'xz' ? 'xz' : 'gz']
  const spend = byteBudget(maxBytes, 'The file system contains too many executables.')
  const ids: DebugId[] = []
  let remainingFiles = maxFiles
  const read = async (file: SquashfsFile): Promise<void> => {
    const source = await file.open(spend)
    if (!mayHaveDebugIds(await readHead(source, headBytes))) return
    remainingFiles--
    const found = await orNull(readDebugIds(source, { name: baseName(file.path), path: file.path }))
    ids.push(...(found ?? []).map((id) => shownId(id, file.path)))
  }
  try {
    for await (const file of files.files()) {
      if (remainingFiles <= 0 || ids.length >= maxDebugIds) break
      if (mayBeExecutable(file.path)) await read(file)
    }
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error
  }
  return ids.slice(0, maxDebugIds)
}
