import type { ByteRange, LocalFile } from '../transfer/local-file.ts'

/** Returns a file that consists of ranges of another one, which are the bytes that the client sends. */
export function composedFile(file: LocalFile, ranges: readonly ByteRange[]): LocalFile {
  let sizeBytes = 0
  const starts = ranges.map((range) => {
    const start = sizeBytes
    sizeBytes += range.sizeBytes
    return start
  })
  /** Returns the position in the other file, and how many bytes follow it there without a gap. */
  const locate = (position: number): { position: number; leftBytes: number } => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= position) low = middle
      else high = middle - 1
    }
    const skipped = position - (starts[low] ?? 0)
    const { start = 0, sizeBytes: rangeBytes = 0 } = ranges[low] ?? {}
    return { position: start + skipped, leftBytes: rangeBytes - skipped }
  }
  return {
    path: file.path,
    filename: file.filename,
    folder: file.folder,
    sizeBytes,
    revision: file.revision,
    handle: {
      read(bytes, offset, length, start) {
        const { position, leftBytes } = locate(start)
        return file.handle.read(bytes, offset, Math.min(length, leftBytes), position)
      },
      close: () => file.handle.close(),
    },
    requireUnchanged(range = { start: 0, sizeBytes }) {
      if (range.sizeBytes === 0) return Promise.resolve()
      const start = locate(range.start).position
      const end = locate(range.start + range.sizeBytes - 1).position + 1
      return file.requireUnchanged({ start, sizeBytes: end - start })
    },
  }
}
