import type { ByteSource } from './byte-source.ts'

/** What creating and applying patches needs from the platform. */
export type PatchTools = {
  /** Compresses with brotli. */
  compress: (bytes: Uint8Array) => Uint8Array
  /** Decompresses brotli. Throws if there are more than `maxBytes` or the bytes are damaged. */
  decompress: (bytes: Uint8Array, maxBytes: number) => Uint8Array
  /** Returns the CRC-32 of bytes, or of bytes that follow those with the CRC-32 `value`. */
  crc32: (bytes: Uint8Array, value?: number) => number
  /** Creates temporary bytes, such as a file, which are written from the start to the end. */
  createScratch: () => Scratch
}

export type Scratch = { write: (bytes: Uint8Array) => void; source: ByteSource; free: () => void }
