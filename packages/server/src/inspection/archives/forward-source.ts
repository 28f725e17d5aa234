import { InspectionError, type ByteSource } from '../inspection.ts'

const maxKeptBytes = 2 ** 20
const headBytes = 64 * 1024

/**
 * Returns a source for the content of an archive entry, which can only be inflated from the beginning. Reads must be in
 * the first 64 KiB or at most 1 MiB before the end of the furthest read; others throw `InspectionError`. `spend` is
 * called with the number of bytes that were inflated and can throw to limit them. Dispose of the source after use.
 */
export function forwardSource(
  content: AsyncIterable<Buffer>,
  sizeBytes: number,
  spend: (bytes: number) => void,
): ByteSource & AsyncDisposable {
  const chunks: AsyncIterator<Buffer, unknown> = content[Symbol.asyncIterator]()
  const head: Buffer[] = []
  const kept: { start: number; bytes: Buffer }[] = []
  let position = 0
  let keptBytes = 0

  const advance = async (keepFrom: number): Promise<number> => {
    const next = await chunks.next()
    if (next.done === true) throw new InspectionError('A file in the archive is truncated.')
    const { value } = next
    spend(value.length)
    if (position < headBytes) head.push(value.subarray(0, headBytes - position))
    kept.push({ start: position, bytes: value })
    position += value.length
    keptBytes += value.length
    for (let [oldest] = kept; oldest !== undefined; [oldest] = kept) {
      const end = oldest.start + oldest.bytes.length
      if (keptBytes - oldest.bytes.length < maxKeptBytes || end > keepFrom) break
      keptBytes -= oldest.bytes.length
      kept.shift()
    }
    return position
  }

  return {
    sizeBytes,
    async read(offset, length) {
      const end = offset + length
      if (offset < 0 || length < 0 || end > sizeBytes)
        throw new InspectionError('A file in the archive is damaged.')
      for (let reached = position; reached < end;) reached = await advance(offset)
      if (end <= Math.min(position, headBytes)) return Buffer.concat(head).subarray(offset, end)
      if (offset < (kept[0]?.start ?? position))
        throw new InspectionError('A file in the archive cannot be read again.')
      const overlapping = kept.filter(({ start, bytes }) => start < end && start + bytes.length > offset)
      const first = overlapping[0]?.start ?? 0
      return Buffer.concat(overlapping.map(({ bytes }) => bytes)).subarray(offset - first, end - first)
    },
    async [Symbol.asyncDispose]() {
      await chunks.return?.()
    },
  }
}

/** Returns a source that calls `spend` with the number of bytes of each read. */
export const countedSource = (
  { sizeBytes, read }: ByteSource,
  spend: (bytes: number) => void,
): ByteSource & AsyncDisposable => ({
  sizeBytes,
  async read(offset, length) {
    spend(length)
    return read(offset, length)
  },
  async [Symbol.asyncDispose]() {},
})
