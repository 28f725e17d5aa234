import { constants } from 'node:fs'
import { access, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Where things lie below the storage folder:
 *   tmp/                       bytes on their way in, and whatever is being deleted
 *   staging/<xx>/<key>/<name>  durable attempts at parts, one immutable file each
 *   objects/<xx>/<key>/<name>  the same folder after seal, moved by one rename
 * <xx> are the last two digits of the key; all 256 exist from the start, so that no PUT has to make them durable.
 */
export type LocalLayout = {
  root: string
  tmp: string
  /** The folder of a key, and the folder that holds it. Both throw on a key that is not a lower-case UUID. */
  staging(key: string): { folder: string; parent: string }
  objects(key: string): { folder: string; parent: string }
}

export type PartName = { partNumber: number; sizeBytes: number; md5: string; sha256: string }

const shards = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'))
const keyPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const namePattern = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,14})\.([0-9a-f]{32})\.([0-9a-f]{64})$/

export const isKey = (text: string): boolean => keyPattern.test(text)

export function localLayout(root: string): LocalLayout {
  const below = (area: string) => (key: string) => {
    if (!isKey(key)) throw new TypeError(`not a storage key: ${JSON.stringify(key)}`)
    const parent = join(root, area, key.slice(-2))
    return { folder: join(parent, key), parent }
  }
  return { root, tmp: join(root, 'tmp'), staging: below('staging'), objects: below('objects') }
}

/** Names say what they hold: the same bytes sent twice are one file, other bytes are another. */
export const partName = ({ partNumber, sizeBytes, md5, sha256 }: PartName): string =>
  `${partNumber}.${sizeBytes}.${md5}.${sha256}`

export function parsePartName(name: string): PartName | undefined {
  const [, partNumber, sizeBytes, md5, sha256] = namePattern.exec(name) ?? []
  if (md5 === undefined || sha256 === undefined) return undefined
  return { partNumber: Number(partNumber), sizeBytes: Number(sizeBytes), md5, sha256 }
}

/** Makes the folders that every key needs, durable when it returns. */
export async function prepareFolders({ root, tmp }: LocalLayout): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await mkdir(tmp, { recursive: true })
  for (const area of ['staging', 'objects']) {
    const folder = join(root, area)
    await mkdir(folder, { recursive: true })
    const present = new Set(await readdir(folder))
    for (const shard of shards) if (!present.has(shard)) await mkdir(join(folder, shard), { recursive: true })
    await syncFolder(folder)
  }
  await syncFolder(root)
  await syncFolder(join(root, '..'))
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
