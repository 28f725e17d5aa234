import type { CompositionPlanner, FoundPiece } from '@quayside/sdk/composition'
import { silentProgress } from '../output/progress.ts'
import { searchPieces } from '../reuse/search-pieces.ts'
import type { LocalSource } from '../reuse/search-pieces.ts'
import type { LocalFile } from '../transfer/local-file.ts'
import type { UploadContext } from '../transfer/upload-context.ts'
import type { Source } from './plan-composition.ts'

const showsProgressFromBytes = 64 * 1024 * 1024

/** Searches the new ranges of a file for pieces of the chunks that changed. Returns whether there are any. */
export async function findPieces(
  { output, signal }: UploadContext,
  file: LocalFile,
  sources: readonly Source[],
  planner: CompositionPlanner,
): Promise<boolean> {
  let hasFound = false
  for (const [number, { index }] of sources.entries()) {
    const ranges = planner.newRanges()
    const totalBytes = ranges.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const label = `Comparing pieces of ${file.filename}`
    const progress =
      totalBytes < showsProgressFromBytes
        ? silentProgress
        : output.progress({ label, totalBytes, alreadyDoneBytes: 0 })
    let leftBytes = totalBytes
    const source = sourceOf(file, (bytes) => {
      // The bytes around ranges are read too.
      const counted = Math.min(bytes, leftBytes)
      leftBytes -= counted
      progress.add(counted)
    })
    const regions = ranges.map(({ start, sizeBytes }) => ({ source, start, end: start + sizeBytes }))
    const found: FoundPiece[] = []
    try {
      const chunks = planner.chunksToSearch(number)
      for await (const { piece, position } of searchPieces(index, chunks, regions, signal))
        found.push({ piece, position })
    } finally {
      progress.end()
    }
    planner.addPieces(number, found)
    hasFound ||= found.length > 0
  }
  return hasFound
}

const sourceOf = ({ path, sizeBytes, handle }: LocalFile, onBytes: (bytes: number) => void): LocalSource => ({
  path,
  sizeBytes,
  async read(bytes, position) {
    let done = 0
    while (done < bytes.length) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    onBytes(done)
    return done
  },
})
