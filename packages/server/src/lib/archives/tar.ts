import { gzipSync } from 'node:zlib'
import { defaultMode, type ArchiveFile } from './archive-file.ts'

const blockBytes = 512

/**
 * Returns an uncompressed tar archive (ustar) of files that belong to root. Throws if the last segment of a path exceeds
 * 100 bytes or the rest 155.
 */
export function tarArchive(files: readonly ArchiveFile[], modifiedAt: Date): Buffer {
  const blocks = files.flatMap((file) => [
    header(file, modifiedAt),
    file.content,
    Buffer.alloc((blockBytes - (file.content.length % blockBytes)) % blockBytes),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

/** Returns a gzipped tar archive. Its bytes depend only on the arguments and the version of zlib. */
export const tarGz = (files: readonly ArchiveFile[], modifiedAt: Date, level = 9): Buffer =>
  gzipSync(tarArchive(files, modifiedAt), { level })

function header({ path, content, mode = defaultMode }: ArchiveFile, modifiedAt: Date): Buffer {
  const { prefix, name } = splitPath(path)
  const block = Buffer.alloc(blockBytes)
  block.write(name)
  block.write(octal(mode, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(content.length, 12), 124)
  block.write(octal(Math.floor(modifiedAt.getTime() / 1000), 12), 136)
  // The checksum is computed as if its own field contained spaces.
  block.write('        0ustar\u000000', 148)
  block.write('root', 265)
  block.write('root', 297)
  block.write(prefix, 345)
  const checksum = block.reduce((sum, byte) => sum + byte, 0)
  block.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function splitPath(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path }
  const at = path.lastIndexOf('/')
  const [prefix, name] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)]
  if (Buffer.byteLength(prefix) > 155 || Buffer.byteLength(name) > 100)
    throw new Error(`The path ${path} is too long for a tar archive.`)
  return { prefix, name }
}

const octal = (value: number, fieldBytes: number): string =>
  `${value.toString(8).padStart(fieldBytes - 1, '0')}\0`
