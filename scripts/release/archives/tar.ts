import { gzipSync } from 'node:zlib'
import type { ArchiveEntry } from './archive-entry.ts'

const blockBytes = 512

/** Returns a gzipped tar archive (ustar). Its bytes depend only on the arguments and the version of zlib. */
export function tarGz(entries: readonly ArchiveEntry[], modifiedAt: Date): Buffer {
  const blocks = entries.flatMap(({ path, content, mode }) => [
    header(path, content.length, mode, modifiedAt),
    content,
    Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes),
  ])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 })
}

function header(path: string, sizeBytes: number, mode: number, modifiedAt: Date): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`The path ${path} is too long for a tar archive.`)
  const block = Buffer.alloc(blockBytes)
  block.write(path)
  block.write(octal(mode, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(sizeBytes, 12), 124)
  block.write(octal(Math.floor(modifiedAt.getTime() / 1000), 12), 136)
  // The checksum is computed as if its own field contained spaces.
  block.write('        0ustar\u000000', 148)
  block.write('root', 265)
  block.write('root', 297)
  const checksum = block.reduce((sum, byte) => sum + byte, 0)
  block.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const octal = (value: number, fieldBytes: number): string =>
  `${value.toString(8).padStart(fieldBytes - 1, '0')}\0`
