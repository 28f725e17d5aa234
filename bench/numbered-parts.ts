import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { createBigFile } from './big-file.ts'

export type NumberedParts = Awaited<ReturnType<typeof createNumberedParts>>

/**
 * Creates one file per concurrent sender. Before each part, the sender writes its number at the start of its file, so
 * that all parts differ although they share the remaining bytes. The files stay in the page cache.
 */
export async function createNumberedParts({ partMb, senders }: { partMb: number; senders: number }) {
  const files = await Promise.all(Array.from({ length: senders }, () => createBigFile(partMb)))
  const [first] = files
  // All files have the bytes of the first one.
  const content = await readFile(first?.path ?? '')
  for (const { path } of files.slice(1)) {
    const file = await open(path, 'r+')
    await file.write(content)
    await file.close()
  }
  return {
    sizeBytes: content.length,
    /** Numbers the file of a sender and returns its path. */
    async number(sender: number, part: number): Promise<string> {
      const path = files[sender]?.path ?? ''
      const file = await open(path, 'r+')
      await file.write(numberBytes(part))
      await file.close()
      return path
    },
    /** Returns the SHA-256 of parts 1 to `count`. */
    sha256(count: number): string {
      const hash = createHash('sha256')
      for (let part = 1; part <= count; part++) hash.update(numberBytes(part)).update(content.subarray(4))
      return hash.digest('hex')
    },
    remove: () => Promise.all(files.map((file) => file.remove())),
  }
}

function numberBytes(part: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(part)
  return bytes
}
