import { join } from 'node:path'
import { crc32 } from '../archive/read-content.ts'
import { Failure } from '../failure.ts'
import type { Output } from '../output/output.ts'
import { parentsOf, pathKey } from './archive-entry.ts'
import type { ArchiveEntry, NameRules } from './archive-entry.ts'
import { recordedCrc, recordOf } from './folder-state.ts'
import type { FileRecord, FolderState } from './folder-state.ts'
import { fileCrc, readTarget } from './list-folder.ts'
import type { LocalItem } from './list-folder.ts'

export type NeededEntry = {
  entry: ArchiveEntry
  /** What is at its path. */
  replaces: LocalItem | undefined
  /** What has to be removed before the entry can be created, the innermost first. */
  blockers: LocalItem[]
}

export type Comparison = {
  needed: NeededEntry[]
  /** Entries whose content is in place, with the local path. */
  unchanged: Map<ArchiveEntry, LocalItem>
  /** Files and links that are not part of the build. */
  removed: LocalItem[]
  /** Folders to remove if they are empty then, the innermost first. */
  removedFolders: LocalItem[]
  /** What is known of the files that are in place. */
  records: Map<string, FileRecord>
}

export type Comparing = {
  folder: string
  rules: NameRules
  state: FolderState
  /** Removes what is not part of the build, whoever created it. */
  deletesOthers: boolean
  output: Output
  signal: AbortSignal
}

/** Compares a folder with the entries of an archive. Throws if files of the user are in the way of the build. */
export async function compareFolder(
  entries: readonly ArchiveEntry[],
  items: ReadonlyMap<string, LocalItem>,
  comparing: Comparing,
): Promise<Comparison> {
  const { rules, deletesOthers } = comparing
  const key = (path: string) => pathKey(path, rules)
  const comparison: Comparison = {
    needed: [],
    unchanged: new Map(),
    removed: [],
    removedFolders: [],
    records: new Map(),
  }
  const isUnchanged = createContentCheck(entries, items, comparing, comparison.records)
  const ofBuild = new Set<string>()
  for (const entry of entries) {
    ofBuild.add(key(entry.path))
    for (const parent of parentsOf(entry.path)) ofBuild.add(key(parent))
    const item = items.get(key(entry.path))
    if (item !== undefined && (await isUnchanged(entry, item))) comparison.unchanged.set(entry, item)
    else comparison.needed.push({ entry, replaces: item, blockers: [] })
  }
  isUnchanged.end()
  const owned = new Set([...comparing.state.files.keys()].map((path) => key(path.replace(/\/$/, ''))))
  const blocking = addBlockers(comparison.needed, items, key)
  for (const item of items.values()) {
    const itemKey = key(item.path)
    const isBlocking = blocking.has(item)
    if (
      isBlocking &&
      item.kind !== 'folder' &&
      !owned.has(itemKey) &&
      !deletesOthers &&
      !ofBuild.has(itemKey)
    )
      throw isInTheWay(join(comparing.folder, item.path))
    if (ofBuild.has(itemKey) && !isBlocking) continue
    if (item.kind === 'folder') comparison.removedFolders.unshift(item)
    else if (owned.has(itemKey) || deletesOthers || isBlocking) comparison.removed.push(item)
  }
  const isOwned = ({ path }: LocalItem) => owned.has(key(path))
  const removed = [...comparison.removed, ...comparison.removedFolders.filter(isOwned)]
  const parents = new Set(removed.flatMap(({ path }) => [...parentsOf(path)]))
  comparison.removedFolders = comparison.removedFolders.filter(
    (item) => deletesOthers || isOwned(item) || parents.has(item.path),
  )
  return comparison
}

const isInTheWay = (path: string): Failure =>
  new Failure(
    'failed',
    `${path} is not part of the build, but the build has a file at the path of its folder. Move it, or use --delete.`,
  )

/** Finds what has to be removed for new entries: files at the path of a folder, and folders at the path of a file. */
function addBlockers(
  needed: readonly NeededEntry[],
  items: ReadonlyMap<string, LocalItem>,
  key: (path: string) => string,
): Set<LocalItem> {
  const blocking = new Set<LocalItem>()
  const folders = new Map<string, NeededEntry>()
  const add = (to: NeededEntry, item: LocalItem) => {
    to.blockers.unshift(item)
    blocking.add(item)
  }
  for (const each of needed) {
    for (const parent of parentsOf(each.entry.path)) {
      const item = items.get(key(parent))
      if (item !== undefined && item.kind !== 'folder') add(each, item)
    }
    const { replaces } = each
    if (replaces === undefined || (replaces.kind === 'folder') === (each.entry.kind === 'folder')) continue
    add(each, replaces)
    if (replaces.kind === 'folder') folders.set(replaces.path, each)
  }
  if (folders.size > 0)
    for (const item of items.values())
      for (const parent of parentsOf(item.path)) {
        const each = folders.get(parent)
        if (each !== undefined) add(each, item)
      }
  return blocking
}

type ContentCheck = ((entry: ArchiveEntry, item: LocalItem) => Promise<boolean>) & { end: () => void }

/** Returns a function that compares the content of an entry with that of a local item, and that shows progress. */
function createContentCheck(
  entries: readonly ArchiveEntry[],
  items: ReadonlyMap<string, LocalItem>,
  { folder, rules, state, output, signal }: Comparing,
  records: Map<string, FileRecord>,
): ContentCheck {
  const mayMatch = (entry: ArchiveEntry, item: LocalItem | undefined): item is LocalItem =>
    entry.kind === 'file' && item?.kind === 'file' && item.stats.size === BigInt(entry.sizeBytes)
  const recorded = (item: LocalItem) => recordedCrc(state.files.get(item.path), item.stats)
  let totalBytes = 0
  for (const entry of entries) {
    const item = items.get(pathKey(entry.path, rules))
    if (mayMatch(entry, item) && recorded(item) === undefined) totalBytes += entry.sizeBytes
  }
  const progress =
    totalBytes > 0 ? output.progress({ label: 'Comparing', totalBytes, alreadyDoneBytes: 0 }) : undefined
  const onBytes = (bytes: number) => progress?.add(bytes)
  const check = async (entry: ArchiveEntry, item: LocalItem): Promise<boolean> => {
    const path = join(folder, item.path)
    if (entry.kind === 'folder') return item.kind === 'folder'
    if (entry.kind === 'link') {
      if (item.kind !== 'link') return false
      const target = await readTarget(path, rules.isWindows)
      return target.length === entry.sizeBytes && crc32(target) === entry.crc32
    }
    if (!mayMatch(entry, item)) return false
    const crc = recorded(item) ?? (await fileCrc(path, { signal, onBytes }))
    records.set(item.path, recordOf(item.stats, crc))
    return crc === entry.crc32
  }
  return Object.assign(check, { end: () => progress?.end() })
}
