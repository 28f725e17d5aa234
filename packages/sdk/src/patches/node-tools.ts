import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { sourceOf } from './byte-source.ts'
import type { ByteSource } from './byte-source.ts'
import { InvalidPatch } from './patch-bytes.ts'
import type { PatchTools, Scratch } from './patch-tools.ts'

/** Smaller temporary bytes stay in memory. */
const maxMemoryBytes = 8 * 1024 * 1024
/** Higher levels take five times as long for 1 % fewer bytes. */
const quality = 9

/**
 * Returns what patches need in Node. Large temporary bytes are files in `folder`, which are deleted when they are freed.
 * `crc32` is that of `node:zlib`, which the first versions of Node 20 do not have.
 */
export const nodePatchTools = (folder: string, crc32: PatchTools['crc32']): PatchTools => ({
  compress: (bytes) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  decompress: (bytes, maxBytes) => {
    try {
      return brotliDecompressSync(bytes, { maxOutputLength: maxBytes })
    } catch (error) {
      throw new InvalidPatch('The patch has damaged compressed bytes.', { cause: error })
    }
  },
  crc32,
  createScratch: () => createScratch(folder),
})

/** Returns an open file as a source. */
export const sourceOfFile = (descriptor: number, sizeBytes: number): ByteSource => ({
  sizeBytes,
  read: (target, position) => {
    for (let filled = 0; filled < target.length;) {
      const count = readSync(descriptor, target, filled, target.length - filled, position + filled)
      if (count === 0) throw new RangeError('The source is shorter.')
      filled += count
    }
  },
})

function createScratch(folder: string): Scratch {
  let memory = new Uint8Array(64 * 1024)
  let sizeBytes = 0
  let file: { descriptor: number; path: string } | undefined
  const append = (descriptor: number, bytes: Uint8Array) => {
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
  }
  const write = (bytes: Uint8Array) => {
    if (file === undefined && sizeBytes + bytes.length > maxMemoryBytes) {
      const path = join(folder, `${randomUUID()}.scratch`)
      file = { descriptor: openSync(path, 'wx+', 0o600), path }
      append(file.descriptor, memory.subarray(0, sizeBytes))
      memory = new Uint8Array(0)
    }
    if (file !== undefined) append(file.descriptor, bytes)
    else {
      if (sizeBytes + bytes.length > memory.length) {
        const grown = new Uint8Array(Math.max(2 * memory.length, sizeBytes + bytes.length))
        grown.set(memory.subarray(0, sizeBytes))
        memory = grown
      }
      memory.set(bytes, sizeBytes)
    }
    sizeBytes += bytes.length
  }
  const free = () => {
    memory = new Uint8Array(0)
    if (file === undefined) return
    closeSync(file.descriptor)
    rmSync(file.path, { force: true })
    file = undefined
  }
  const read: ByteSource['read'] = (target, position) => {
    if (file === undefined) sourceOf(memory.subarray(0, sizeBytes)).read(target, position)
    else sourceOfFile(file.descriptor, sizeBytes).read(target, position)
  }
  return {
    write,
    free,
    source: {
      get sizeBytes() {
        return sizeBytes
      },
      read,
    },
  }
}
