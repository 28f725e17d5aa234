import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { limitConcurrency, type Limit } from '../../lib/concurrency.ts'
import { syncFolder } from '../../lib/durable-file.ts'
import { uuidPattern } from '../../lib/ids.ts'
import { isErrno } from '../../lib/problem.ts'
import { shareSyncs } from './folder-syncs.ts'

/**
 * The storage folder:
 *   tmp/                       uploads in progress and folders that are being deleted
 *   staging/<xx>/<key>/<name>  durable attempts to upload parts, one immutable file each
 *   staging/<xx>/<key>         an empty file instead of the folder: the upload was aborted, and PUTs are rejected
 *   objects/<xx>/<key>/<name>  the same folder after `seal` has moved it with a single rename
 *   quarantine/<time>/…        folders of keys that no row refers to; see local-quarantine.ts
 *   installation-id            the installation that the folder belongs to; see local-identity.ts
 * <xx> is the last two digits of the key, because the first digits of a UUIDv7 are a timestamp.
 */
export type LocalLayout = {
  root: string
  tmp: string
  /**
   * Returns the folder of a staged upload and its parent folder. Throws if the key is not a lowercase UUID.
   */
  staging(key: string): { folder: string; parent: string }
  /** Returns the folder of a sealed object and its parent folder. Throws if the key is not a lowercase UUID. */
  objects(key: string): { folder: string; parent: string }
  /** Creates one of the 256 parent folders. The folder is durable when the promise resolves. */
  ensureParent(parent: string): Promise<void>
  /**
   * Limits on the calls that wait for the disk: `writing` for uploads and deletions, `reading` for all other calls.
   * Each call blocks a libuv thread. The limits ensure that a hung disk leaves threads for name resolution, compression
   * and, if only writes hang, downloads.
   */
  reading: Limit
  writing: Limit
  /** Makes new and renamed entries of a folder durable. */
  syncFolder(folder: string): Promise<void>
}

const defaultDiskLimits = { reads: 6, writes: 6 }

export type PartName = { partNumber: number; sizeBytes: number; md5: string; sha256: string }

const keyPattern = new RegExp(uuidPattern)
const namePattern = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,14})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

export const isKey = (text: string): boolean => keyPattern.test(text)

export function localLayout(root: string, limits = defaultDiskLimits): LocalLayout {
  const locate = (area: string) => (key: string) => {
    if (!isKey(key)) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`)
    const parent = join(root, area, key.slice(-2))
    return { folder: join(parent, key), parent }
  }
  const writing = limitConcurrency(limits.writes)
  return {
    root,
    tmp: join(root, 'tmp'),
    staging: locate('staging'),
    objects: locate('objects'),
    ensureParent: createFolderCache(writing),
    reading: limitConcurrency(limits.reads),
    writing,
    syncFolder: shareSyncs(syncFolder, writing),
  }
}

/** Returns a name derived from the content, so that identical attempts share a file and different attempts do not. */
export const partName = ({ partNumber, sizeBytes, md5, sha256 }: PartName): string =>
  `${partNumber}.${sizeBytes}.${md5}.${sha256}`

export function parsePartName(name: string): PartName | undefined {
  const [, partNumber, sizeBytes, md5, sha256] = namePattern.exec(name) ?? []
  if (md5 === undefined || sha256 === undefined) return undefined
  return { partNumber: Number(partNumber), sizeBytes: Number(sizeBytes), md5, sha256 }
}

/** Creates the top-level folders. They are durable when the promise resolves. */
export async function prepareFolders({ root, tmp }: LocalLayout): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await Promise.all(
    [tmp, join(root, 'staging'), join(root, 'objects')].map((area) => mkdir(area, { recursive: true })),
  )
  await syncFolder(root)
  await syncFolder(join(root, '..'))
}

/**
 * Returns a function that makes a folder exist durably and caches the result. Folders that already exist are also
 * synced, because another process may have created them without syncing them.
 */
function createFolderCache(writing: Limit): (folder: string) => Promise<void> {
  const created = new Map<string, Promise<void>>()
  const create = async (folder: string): Promise<void> => {
    await mkdir(folder, { recursive: true })
    await syncFolder(join(folder, '..'))
  }
  return (folder) => {
    const creating = created.get(folder) ?? writing(() => create(folder))
    created.set(folder, creating)
    creating.catch(() => created.delete(folder))
    return creating
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
