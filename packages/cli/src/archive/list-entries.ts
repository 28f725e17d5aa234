import type { BigIntStats } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { EntryAttributes } from '@quayside/sdk/archive-layout'
import { alwaysIgnored, ignoreFile, inArchiveOrder, nameProblem } from '@quayside/sdk/folder-rules'
import ignore from 'ignore'
import type { Ignore } from 'ignore'
import { Failure } from '../failure.ts'
import { cannotRead } from '../files/file-failure.ts'

/** A file, a symbolic link or an empty folder below the folder of an archive. */
export type FolderEntry = EntryAttributes & {
  /** Absolute path. */
  path: string
  mtimeNs: bigint
  inode: bigint
}

/**
 * Lists the files, links and empty folders below a folder in the order of their names as UTF-8, except what its ignore file
 * excludes. Throws if there are none, or for an entry that an archive cannot contain.
 */
export async function listEntries(folder: string, signal: AbortSignal): Promise<FolderEntry[]> {
  const rules = ignore({ ignorecase: false }).add(alwaysIgnored)
  rules.add(await readIgnoreFile(join(folder, ignoreFile)))
  const entries: FolderEntry[] = []
  await addEntries(folder, '', { rules, signal, entries })
  if (!entries.some(({ kind }) => kind === 'file'))
    throw new Failure('failed', `${folder} contains no files to upload. Check the path and ${ignoreFile}.`)
  return inArchiveOrder(entries)
}

type Listing = { rules: Ignore; signal: AbortSignal; entries: FolderEntry[] }

async function addEntries(path: string, prefix: string, listing: Listing): Promise<void> {
  listing.signal.throwIfAborted()
  const found = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  if (found.length === 0 && prefix !== '') {
    const stats = await lstat(path, { bigint: true })
    listing.entries.push({ ...attributesOf(stats), name: prefix, path, kind: 'folder', target: '' })
  }
  for (const entry of found) {
    const name = `${prefix}${entry.name}`
    const isFolder = entry.isDirectory()
    if (listing.rules.ignores(isFolder ? `${name}/` : name)) continue
    requireValidName(join(path, entry.name), entry.name)
    if (isFolder) await addEntries(join(path, entry.name), `${name}/`, listing)
    else listing.entries.push(await entryAt(join(path, entry.name), name))
  }
}

async function entryAt(path: string, name: string): Promise<FolderEntry> {
  const stats = await lstat(path, { bigint: true }).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  const attributes = { ...attributesOf(stats), name, path }
  if (stats.isFile()) return { ...attributes, kind: 'file', target: '' }
  if (!stats.isSymbolicLink())
    throw new Failure('failed', `${path} is neither a file nor a folder. List it in ${ignoreFile}.`)
  const target = await readTarget(path)
  const resolved = posix.normalize(posix.join(posix.dirname(name), target))
  if (posix.isAbsolute(target) || /^[A-Za-z]:/.test(target) || resolved.split('/')[0] === '..')
    throw new Failure(
      'failed',
      `The symbolic link ${path} points outside the folder, to ${target}. Replace it, or list it in ${ignoreFile}.`,
    )
  return { ...attributes, kind: 'link', sizeBytes: 0, target }
}

const readTarget = async (path: string): Promise<string> => {
  const target = await readlink(path)
  return process.platform === 'win32' ? target.replaceAll('\\', '/') : target
}

/** Returns a file that is read as an archive reads it. */
export const fileEntry = (name: string, path: string, stats: BigIntStats): FolderEntry => ({
  ...attributesOf(stats),
  name,
  path,
  kind: 'file',
  target: '',
})

const attributesOf = (stats: BigIntStats): Omit<FolderEntry, 'name' | 'path' | 'kind' | 'target'> => ({
  isExecutable: (stats.mode & 0o100n) !== 0n && stats.isFile(),
  sizeBytes: stats.isFile() ? Number(stats.size) : 0,
  mtimeNs: stats.mtimeNs,
  inode: stats.ino,
})

function requireValidName(path: string, name: string): void {
  const problem = nameProblem(name)
  if (problem !== undefined)
    throw new Failure('failed', `The name of ${path} ${problem}. Rename it, or list it in ${ignoreFile}.`)
}

async function readIgnoreFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw cannotRead(path, error)
  }
}

/** Returns whether the entry still has the content and the mode that were listed. */
export async function isUnchanged(entry: FolderEntry): Promise<boolean> {
  const current = await lstat(entry.path, { bigint: true }).catch(() => undefined)
  return current !== undefined && hasSameAttributes(entry, current)
}

/** Returns whether a file has the size, the modification time and the mode that were listed. */
export const hasSameAttributes = (entry: FolderEntry, stats: BigIntStats): boolean => {
  const current = attributesOf(stats)
  return (
    current.inode === entry.inode &&
    (entry.kind === 'folder' ||
      (current.sizeBytes === entry.sizeBytes &&
        current.mtimeNs === entry.mtimeNs &&
        current.isExecutable === entry.isExecutable))
  )
}
