import { createHash } from 'node:crypto'
import { FileChangedError } from './local-file.ts'
import type { LocalFile } from './local-file.ts'

const bufferBytes = 1024 * 1024

/** Returns the MD5 of a range of a local file in hexadecimal. */
export async function rangeMd5(
  file: LocalFile,
  start: number,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('md5')
  const buffer = Buffer.allocUnsafe(Math.min(bufferBytes, sizeBytes))
  for (let done = 0; done < sizeBytes;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.handle.read(
      buffer,
      0,
      Math.min(buffer.length, sizeBytes - done),
      start + done,
    )
    if (bytesRead === 0) throw new FileChangedError(file.path)
    hash.update(buffer.subarray(0, bytesRead))
    done += bytesRead
  }
  return hash.digest('hex')
}
