import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder, writePrivateFile } from '../../lib/durable-file.ts'
import { isErrno } from '../../lib/problem.ts'
import type { StorageIdentity } from '../driver.ts'
import { translateErrors } from '../storage-errors.ts'
import { listNames } from './local-folders.ts'

const areas = ['objects', 'staging', 'quarantine']

/** Opens the identity of a storage folder without creating anything in it, because its disk may not be mounted. */
export function createLocalIdentity(directory: string): StorageIdentity {
  const path = join(directory, 'installation-id')

  async function hasFiles(): Promise<boolean> {
    for (const area of areas)
      for (const group of await listNames(join(directory, area)))
        if ((await listNames(join(directory, area, group))).length > 0) return true
    return false
  }

  async function findId(): Promise<string | undefined> {
    try {
      return (await readFile(path, 'utf8')).trim()
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw error
    }
  }

  async function saveId(id: string): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writePrivateFile(path, `${id}\n`, { overwrites: true })
    await syncFolder(dirname(directory))
  }

  return {
    // A command can run where the folder has another path.
    address: 'folder',
    location: `folder ${directory}`,
    settings: 'QUAYSIDE_DATA_DIR',
    advice: 'Check that the disk of the storage folder is mounted.',
    emptyReason:
      'The disk of the folder is probably not mounted, or another server uses this database with its own folder.',
    findId: () => translateErrors(findId()),
    saveId: (id) => translateErrors(saveId(id)),
    hasFiles: () => translateErrors(hasFiles()),
  }
}
