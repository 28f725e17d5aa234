import { createHash } from 'node:crypto'
import { FileChanged } from './local-file.ts'
import type { LocalFile } from './local-file.ts'

const slabBytes = 1024 * 1024

/** MD5 (hex) of a range of a local file. */
export async function rangeMd5(
  file: LocalFile,
  start: number,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('md5')
  const slab = Buffer.allocUnsafe(Math.min(slabBytes, sizeBytes))
  for (let done = 0; done < sizeBytes;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.handle.read(
      slab,
      0,
      Math.min(slab.length, sizeBytes - done),
      start + done,
    )
    if (bytesRead === 0) throw new FileChanged(file.path)
    hash.update(slab.subarray(0, bytesRead))
    done += bytesRead
  }
  return hash.digest('hex')
}
