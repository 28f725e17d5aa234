import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isErrno } from './problem.ts'

/**
 * Writes a file that only its owner can read. The write is atomic, and the file is durable when the promise resolves.
 * Keeps an existing file unless `overwrites` is set.
 */
export async function writePrivateFile(
  path: string,
  text: string,
  { overwrites = false }: { overwrites?: boolean } = {},
): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if (overwrites) await rename(temporary, path)
    else
      await link(temporary, path).catch((error: unknown) => {
        if (!isErrno(error, 'EEXIST')) throw error
      })
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirname(path))
}

/**
 * Syncs a folder, which makes new and renamed entries durable. Windows cannot sync folders, but NTFS journals their
 * entries.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') {
    await stat(folder)
    return
  }
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
