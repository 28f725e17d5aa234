import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mebibyte = 1024 * 1024

/** A file of random bytes beside the data of the service, in the page cache when this resolves. */
export async function makeBigFile(sizeMb: number) {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-bench-file-'))
  const path = join(folder, 'package.zip')
  const file = await open(path, 'w')
  const block = randomBytes(mebibyte)
  for (let done = 0; done < sizeMb; done++) {
    // every block another one: no file system may fold them
    block.writeUInt32LE(done, 0)
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
