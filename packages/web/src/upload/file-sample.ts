import type { UploadRecord } from './upload.ts'

type FileIdentity = Pick<UploadRecord, 'filename' | 'sizeBytes' | 'lastModified'>

const blockBytes = 64 * 1024
const blocks = 8

/**
 * Returns a hash of the content at eight places of a file. Together with name, size and time of the last change, it
 * recognizes a file that is chosen again. It is not cryptographic, because `crypto.subtle` is missing without https.
 */
export async function sampleOf(file: Blob): Promise<string> {
  const last = Math.max(0, file.size - blockBytes)
  const starts = new Set(
    Array.from({ length: blocks }, (_, index) => Math.floor((last * index) / (blocks - 1))),
  )
  let low = 0x811c9dc5
  let high = 0x01000193
  for (const start of starts) {
    const bytes = new Uint8Array(await file.slice(start, start + blockBytes).arrayBuffer())
    for (const byte of bytes) {
      low = Math.imul(low ^ byte, 0x01000193)
      high = Math.imul(high ^ byte, 0x85ebca6b) ^ (high >>> 13)
    }
  }
  return `${(low >>> 0).toString(16)}-${(high >>> 0).toString(16)}`
}

/** Returns whether a file has the name, size and time of the last change of an interrupted upload. */
export const looksLike = (file: FileIdentity, { filename, sizeBytes, lastModified }: FileIdentity): boolean =>
  file.filename === filename && file.sizeBytes === sizeBytes && file.lastModified === lastModified
