import type { ByteSource } from './byte-source.ts'
import { partOf } from './byte-source.ts'
import { UnopenableStream } from './deflate-codes.ts'
import { DeflateReader } from './deflate-reader.ts'
import { historyBytes } from './deflate-segments.ts'
import { InvalidPatch } from './patch-bytes.ts'
import type { PatchSource } from './patch-format.ts'
import type { PatchTools, Scratch } from './patch-tools.ts'

/** Content of an archive that can be read at any position. */
export type OpenedContent = { content: ByteSource; free: () => void }

/**
 * Inflates a stream to temporary bytes. Returns its content, its CRC-32 and its end in the file. Throws
 * `UnopenableStream`, also if it has more than `maxBytes`.
 */
export function inflate(
  file: ByteSource,
  start: number,
  maxBytes: number,
  tools: PatchTools,
): Scratch & { crc32: number; streamEnd: number } {
  const scratch = tools.createScratch()
  try {
    const reader = new DeflateReader(file, start)
    let crc32 = 0
    for (let used = 0; ;) {
      reader.fill()
      const bytes = reader.content.subarray(used, reader.contentEnd)
      if (scratch.source.sizeBytes + bytes.length > maxBytes)
        throw new UnopenableStream('The content of a stream is too large.')
      crc32 = tools.crc32(bytes, crc32)
      scratch.write(bytes)
      if (reader.tail !== undefined) return { ...scratch, crc32, streamEnd: reader.tail.streamEnd }
      const dropped = Math.max(0, reader.contentEnd - historyBytes)
      reader.drop(dropped, reader.tokenCount)
      reader.headers.length = 0
      used = reader.contentEnd
    }
  } catch (error) {
    scratch.free()
    throw error
  }
}

/** Opens the content that a part of a patch refers to. Throws `InvalidPatch` if the old file has other content there. */
export function openSource(old: ByteSource, source: PatchSource, tools: PatchTools): OpenedContent {
  const { start, sizeBytes, contentBytes } = source
  const part = partOf(old, start, start + sizeBytes)
  if (!source.isDeflated) return { content: part, free: () => undefined }
  try {
    const opened = inflate(part, 0, contentBytes, tools)
    if (opened.source.sizeBytes === contentBytes && opened.crc32 === source.crc32)
      return { content: opened.source, free: () => opened.free() }
    opened.free()
  } catch (error) {
    if (!(error instanceof UnopenableStream)) throw error
  }
  throw new InvalidPatch('The old file has other content than the patch expects.')
}
