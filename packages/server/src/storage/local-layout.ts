import { constants } from 'node:fs'
import { access, mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Where things lie below the storage folder:
 *   tmp/                       bytes on their way in, and whatever is being deleted
 *   staging/<xx>/<key>/<name>  durable attempts at parts, one immutable file each
 *   objects/<xx>/<key>/<name>  the same folder after seal, moved by one rename
 * <xx> are the last two digits of the key: the first ones of a UUIDv7 are the time.
 */
export type LocalLayout = {
  root: string
  tmp: string
  /** The folder of a key, and the folder that holds it. Both throw on a key that is not a lower-case UUID. */
  staging(key: string): { folder: string; parent: string }
  objects(key: string): { folder: string; parent: string }
  /** Makes one of the 256 parents, durable when it resolves. */
  ensureParent(parent: string): Promise<void>
}

export type PartName = { partNumber: number; sizeBytes: number; md5: string; sha256: string }

const keyPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const namePattern = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,14})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

export const isKey = (text: string): boolean => keyPattern.test(text)

export function localLayout(root: string): LocalLayout {
  const below = (area: string) => (key: string) => {
    if (!isKey(key)) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`)
    const parent = join(root, area, key.slice(-2))
    return { folder: join(parent, key), parent }
  }
  return {
    root,
    tmp: join(root, 'tmp'),
    staging: below('staging'),
    objects: below('objects'),
    ensureParent: durableFolders(),
  }
}

/** Names say what they hold: the same bytes sent twice are one file, other bytes are another. */
export const partName = ({ partNumber, sizeBytes, md5, sha256 }: PartName): string =>
  `${partNumber}.${sizeBytes}.${md5}.${sha256}`

export function parsePartName(name: string): PartName | undefined {
  const [, partNumber, sizeBytes, md5, sha256] = namePattern.exec(name) ?? []
  if (md5 === undefined || sha256 === undefined) return undefined
  return { partNumber: Number(partNumber), sizeBytes: Number(sizeBytes), md5, sha256 }
}

/** Makes the folders that everything else lies in, durable when it returns. */
export async function prepareFolders({ root, tmp }: LocalLayout): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await Promise.all(
    [tmp, join(root, 'staging'), join(root, 'objects')].map((area) => mkdir(area, { recursive: true })),
  )
  await syncFolder(root)
  await syncFolder(join(root, '..'))
}

/** A folder once found durable stays so; another process may have made it without having synced it yet. */
function durableFolders(): (folder: string) => Promise<void> {
  const known = new Map<string, Promise<void>>()
  const make = async (folder: string): Promise<void> => {
    await mkdir(folder, { recursive: true })
    await syncFolder(join(folder, '..'))
  }
  return (folder) => {
    const making = known.get(folder) ?? make(folder)
    known.set(folder, making)
    making.catch(() => known.delete(folder))
    return making
  }
}

/** A new or renamed entry is durable only once its folder is. Windows has no such call and journals entries itself. */
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
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

export const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
