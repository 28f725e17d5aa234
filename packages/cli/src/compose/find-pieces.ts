import type { CompositionPlanner, FoundPiece } from '@quayside/sdk/composition'
import { searchPieces } from '../reuse/search-pieces.ts'
import type { LocalSource } from '../reuse/search-pieces.ts'
import type { LocalFile } from '../transfer/local-file.ts'
import type { UploadContext } from '../transfer/upload-context.ts'
import type { Source } from './plan-composition.ts'

/** Searches the new ranges of a file for pieces of the chunks that changed. Returns whether there are any. */
export async function findPieces(
  { output, signal }: UploadContext,
  file: LocalFile,
  sources: readonly Source[],
  planner: CompositionPlanner,
): Promise<boolean> {
  let hasFound = false
  for (const [number, { index }] of sources.entries()) {
    const newRanges = planner.newRanges()
    const progress = output.progress({
      label: `Comparing changed parts of ${file.filename}`,
      totalBytes: newRanges.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      alreadyDoneBytes: 0,
    })
    const source = sourceOf(file)
    const regions = newRanges.map(({ start, sizeBytes }) => ({ source, start, end: start + sizeBytes }))
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

const sourceOf = ({ path, sizeBytes, handle }: LocalFile): LocalSource => ({
  path,
  sizeBytes,
  async read(bytes, position) {
    let done = 0
    while (done < bytes.length) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return done
  },
})
