import { slice } from '../bytes.ts'

const blockBytes = 512
const regularFile = new Set(['0', '\0'])

/** Returns a file in the top folder of a tar archive, or undefined. Throws a RangeError if the archive is damaged. */
export function findTarFile(archive: Buffer, name: string): Buffer | undefined {
  for (let at = 0; at + blockBytes <= archive.length;) {
    const header = slice(archive, at, blockBytes)
    const found = header.toString('latin1', 0, 100).replace(/\0.*$/s, '')
    if (found === '') return undefined
    const sizeBytes = Number.parseInt(header.toString('latin1', 124, 136), 8)
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new RangeError('The size is invalid.')
    const isFile = regularFile.has(header.toString('latin1', 156, 157))
    if (isFile && found.replace(/^\.\//, '') === name) return slice(archive, at + blockBytes, sizeBytes)
    at += blockBytes + Math.ceil(sizeBytes / blockBytes) * blockBytes
  }
  return undefined
}
