import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mebibyte = 1024 * 1024

/** Creates a file of random bytes and leaves it in the page cache. */
export async function createBigFile(sizeMb: number) {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-bench-file-'))
  const path = join(folder, 'package.zip')
  const file = await open(path, 'w')
  const block = randomBytes(mebibyte)
  for (let index = 0; index < sizeMb; index++) {
    // All blocks differ, so that no file system can deduplicate them.
    block.writeUInt32LE(index, 0)
    await file.write(block)
  }
  await file.sync()
  await file.close()
  return {
    path,
    folder,
    sizeBytes: sizeMb * mebibyte,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
