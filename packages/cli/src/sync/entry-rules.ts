import { posix } from 'node:path'
import { syncFolder } from '@quayside/sdk/folder-rules'
import { Failure } from '../failure.ts'
import { parentsOf, pathKey } from './archive-entry.ts'
import type { ArchiveEntry, NameRules } from './archive-entry.ts'

const maxPathBytes = 4096
const maxNameBytes = 255
export const maxTargetBytes = 4096

/** Returns a failure for an archive that is damaged or was made to write outside the folder. */
export const unsafeArchive = (problem: string): Failure =>
  new Failure(
    'failed',
    `The build cannot be synced, because its archive ${problem}. Use \`quayside download\` and inspect it.`,
  )

/** Returns why a file with this path cannot be created safely, or undefined. */
export function pathProblem(path: string, { isWindows }: NameRules): string | undefined {
  if (path.includes('\0')) return 'contains a NUL character'
  if (path.includes('\\')) return 'contains a backslash'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is an absolute path'
  if (Buffer.byteLength(path) > maxPathBytes) return 'is too long'
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'is not a plain path'
    if (Buffer.byteLength(name) > maxNameBytes) return 'is too long'
    if (isWindows && isReservedOnWindows(name)) return 'is not valid on Windows'
  }
  return undefined
}

/** `a.txt:b` is a hidden stream of `a.txt`, `con.txt` a device, and a dot or space at the end is removed. */
const isReservedOnWindows = (name: string): boolean =>
  // eslint-disable-next-line no-control-regex -- Windows rejects control characters
  /[<>:"|?*\u0000-\u001f]/.test(name) ||
  /[. ]$/.test(name) ||
  /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i.test(name)

/** Returns whether an entry is in the folder of the state, which is never part of a build. */
export const isSyncState = (path: string): boolean =>
  pathKey(path.split('/')[0] ?? '', { foldsNames: true }) === syncFolder

/** Throws if two entries have the same path, or if an entry is below a file or a link. */
export function requireSeparatePaths(entries: readonly ArchiveEntry[], rules: NameRules): void {
  const kinds = new Map<string, ArchiveEntry>()
  for (const entry of entries) {
    const key = pathKey(entry.path, rules)
    const other = kinds.get(key)
    if (other !== undefined)
      throw unsafeArchive(
        other.path === entry.path
          ? `contains ${entry.path} twice`
          : `contains both ${other.path} and ${entry.path}, which are the same file here`,
      )
    kinds.set(key, entry)
  }
  for (const { path } of entries)
    for (const parent of parentsOf(path)) {
      const other = kinds.get(pathKey(parent, rules))
      if (other !== undefined && other.kind !== 'folder')
        throw unsafeArchive(`contains ${path} below ${parent}, which is not a folder`)
    }
}

/**
 * Returns why a symbolic link cannot be created safely, or undefined. `..` is valid only at the start of a target, because
 * after another link it would lead elsewhere than the text says.
 */
export function targetProblem(path: string, target: string, { isWindows }: NameRules): string | undefined {
  if (target === '' || target.includes('\0')) return 'has an invalid target'
  const segments = target.split(isWindows ? /[/\\]/ : '/')
  const descends = segments.findIndex((name) => name !== '..' && name !== '.')
  const isPlain = descends === -1 || !segments.slice(descends).includes('..')
  const resolved = posix.normalize(posix.join(posix.dirname(path), segments.join('/')))
  const isOutside =
    posix.isAbsolute(target) ||
    target.startsWith('\\') ||
    /^[A-Za-z]:/.test(target) ||
    /^\.\.(\/|$)/.test(resolved)
  return isOutside || !isPlain ? 'points outside the folder' : undefined
}
