import { forwardSource } from '../archives/forward-source.ts'
import type { StreamedFile } from '../archives/stream-reader.ts'
import { bufferSource, orNull } from '../bytes.ts'
import { InspectionError, type DebugId } from '../inspection.ts'
import { baseName, mayBeExecutable } from './executable-names.ts'
import { maxDatabaseBytes, maxDebugIds, maxFiles, shownId } from './read-archived-debug-ids.ts'
import { mayHaveDebugIds, readDebugIds } from './read-debug-ids.ts'

export const headBytes = 64
const maxListedFiles = 100_000

/** Returns the IDs of the executables and symbol files in a stream. Returns those before an error if the stream is damaged. */
export async function readStreamedDebugIds(files: AsyncIterable<StreamedFile>): Promise<DebugId[]> {
  const collected = collectDebugIds()
  let listedFiles = 0
  try {
    for await (const file of files) {
      if (++listedFiles > maxListedFiles || collected.isFull()) break
      if (mayBeExecutable(file.name)) await collected.add(file, await file.read(headBytes))
    }
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error
  }
  return collected.ids
}

/** Collects the IDs of up to 500 executables and symbol files. `head` are the bytes that were read from the file. */
export function collectDebugIds() {
  const ids: DebugId[] = []
  let remainingFiles = maxFiles
  const isFull = () => remainingFiles <= 0 || ids.length >= maxDebugIds
  return {
    ids,
    isFull,
    async add(file: StreamedFile, head: Buffer): Promise<void> {
      if (isFull() || !mayHaveDebugIds(head)) return
      remainingFiles--
      const found = (await orNull(readFile(file, head))) ?? []
      ids.push(...found.map((id) => shownId(id, file.name)).slice(0, maxDebugIds - ids.length))
    },
  }
}

async function readFile(file: StreamedFile, head: Buffer): Promise<DebugId[]> {
  const origin = { name: baseName(file.name), path: file.name }
  // The directory of a program database is often at its end.
  if (file.name.toLowerCase().endsWith('.pdb') && file.sizeBytes <= maxDatabaseBytes) {
    const bytes = Buffer.alloc(file.sizeBytes)
    let position = head.copy(bytes)
    for await (const chunk of file.stream()) position += chunk.copy(bytes, position)
    return readDebugIds(bufferSource(bytes.subarray(0, position)), origin)
  }
  const content = async function* () {
    yield head
    yield* file.stream()
  }
  await using source = forwardSource(content(), file.sizeBytes, () => {})
  return await readDebugIds(source, origin)
}
