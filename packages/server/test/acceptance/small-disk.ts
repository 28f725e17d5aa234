import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

const mount = (...args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0

/**
 * Mounts a small disk at `folder`, which is created if it does not exist. Returns undefined if this process may not
 * mount file systems.
 */
export function mountSmallDisk(folder: string, { mebibytes }: { mebibytes: number }) {
  mkdirSync(folder, { recursive: true })
  if (!mount('-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'quayside-test', folder)) return undefined
  const filler = join(folder, 'filler')
  return {
    /** Uses up all space. */
    async fill(): Promise<void> {
      const file = await open(filler, 'a')
      try {
        for (const size of [1024 * 1024, 4096])
          await writeUntilFull(() => file.write(Buffer.alloc(size, 1)).then(() => undefined))
      } finally {
        await file.close()
      }
    },
    /** Uses up all inodes. */
    async fillInodes(): Promise<void> {
      const { files, ffree } = statfsSync(folder)
      mount('-o', `remount,nr_inodes=${files - ffree + 100}`, folder)
      mkdirSync(filler)
      let count = 0
      await writeUntilFull(async () => writeFileSync(join(filler, String(count++)), ''))
    },
    /** Deletes what `fill` and `fillInodes` have created. */
    free: () => rmSync(filler, { recursive: true, force: true }),
    unmount: () => spawnSync('umount', ['--lazy', folder]),
  }
}

async function writeUntilFull(write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await write()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}
