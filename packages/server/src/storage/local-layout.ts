import { constants } from 'node:fs'
import { access, mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { limitConcurrency, type Limit } from '../lib/concurrency.ts'
import { uuidPattern } from '../lib/ids.ts'
import { isErrno } from '../lib/problem.ts'

/**
 * The storage folder:
 *   tmp/                       uploads in progress and folders that are being deleted
 *   staging/<xx>/<key>/<name>  durable attempts to upload parts, one immutable file each
 *   staging/<xx>/<key>         an empty file instead of the folder: the upload was aborted, and PUTs are rejected
 *   objects/<xx>/<key>/<name>  the same folder after `seal` has moved it with a single rename
 *   quarantine/<time>/…        folders of keys that no row refers to; see local-quarantine.ts
 *   installation-id            the installation that the folder belongs to; see local-identity.ts
 * <xx> is the last two digits of the key, because a UUIDv7 starts with the time.
 */
export type LocalLayout = {
  root: string
  tmp: string
  /** The folder of a key and its parent. Both functions throw if the key is not a lowercase UUID. */
  staging(key: string): { folder: string; parent: string }
  objects(key: string): { folder: string; parent: string }
  /** Creates one of the 256 parent folders; durable when it resolves. */
  ensureParent(parent: string): Promise<void>
  /**
   * Limit the calls that wait for the disk: `writing` for uploads and deletions, `reading` for all others. Each call
   * blocks a libuv thread, and a hung disk must leave threads for name resolution, password hashing and, if only writes
   * hang, downloads.
   */
  reading: Limit
  writing: Limit
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
  }
}

/** Returns a name derived from the content: the same bytes sent twice share a file, different bytes do not. */
export const partName = ({ partNumber, sizeBytes, md5, sha256 }: PartName): string =>
  `${partNumber}.${sizeBytes}.${md5}.${sha256}`

export function parsePartName(name: string): PartName | undefined {
  const [, partNumber, sizeBytes, md5, sha256] = namePattern.exec(name) ?? []
  if (md5 === undefined || sha256 === undefined) return undefined
  return { partNumber: Number(partNumber), sizeBytes: Number(sizeBytes), md5, sha256 }
}

/** Creates the top-level folders; durable when it resolves. */
export async function prepareFolders({ root, tmp }: LocalLayout): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await Promise.all(
    [tmp, join(root, 'staging'), join(root, 'objects')].map((area) => mkdir(area, { recursive: true })),
  )
  await syncFolder(root)
  await syncFolder(join(root, '..'))
}

/** Caches folders known to be durable. Also syncs existing ones, because another process may not have synced them. */
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

/**
 * Syncs a folder, which makes new and renamed entries durable. Windows has no such call and journals entries itself.
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

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
