import { constants } from 'node:fs'
import { chmod, copyFile, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Comparison, NeededEntry } from './compare-folder.ts'
import { recordedCrc } from './folder-state.ts'
import type { FolderState } from './folder-state.ts'
import { fileCrc } from './list-folder.ts'
import type { LocalItem } from './list-folder.ts'
import type { Placer } from './placer.ts'

type Options = {
  folder: string
  state: FolderState
  /** Complete files that an interrupted run left in the staging area. */
  leftovers: readonly LocalItem[]
  placer: Placer
  stagingPath: () => string
  signal: AbortSignal
}

/**
 * Takes entries from local files with the same size and CRC-32, such as those that were renamed. A file that is removed
 * anyway is moved, and others are copied. Returns the entries that are left.
 */
export async function takeSameContent(
  { needed, removed, records }: Comparison,
  items: Iterable<LocalItem>,
  options: Options,
): Promise<NeededEntry[]> {
  const { folder, state, leftovers, placer, stagingPath, signal } = options
  const isFile = ({ entry }: NeededEntry) => entry.kind === 'file' && entry.sizeBytes > 0
  const sizes = new Set(needed.filter(isFile).map(({ entry }) => BigInt(entry.sizeBytes)))
  const found = new Map<string, LocalItem>()
  const movable = new Set([...removed, ...leftovers])
  // A file in a folder that becomes a file has to be out of the way before that is created.
  for (const { blockers } of needed) for (const item of blockers) movable.delete(item)
  for (const item of [...items, ...leftovers]) {
    if (item.kind !== 'file' || !sizes.has(item.stats.size)) continue
    const record = records.get(item.path) ?? state.files.get(item.path)
    const crc = recordedCrc(record, item.stats) ?? (await fileCrc(join(folder, item.path), { signal }))
    const key = `${item.stats.size}:${crc}`
    if (movable.has(item) || !found.has(key)) found.set(key, item)
  }
  const keyOf = ({ entry }: NeededEntry) => `${entry.sizeBytes}:${entry.crc32}`
  const counts = new Map<string, number>()
  for (const each of needed) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1)
  const left: NeededEntry[] = []
  const staged: [NeededEntry, string][] = []
  for (const each of needed) {
    signal.throwIfAborted()
    const item = isFile(each) ? found.get(keyOf(each)) : undefined
    if (item === undefined) {
      left.push(each)
      continue
    }
    const path = join(folder, item.path)
    if (movable.has(item) && counts.get(keyOf(each)) === 1) {
      placer.markMoved(item)
      staged.push([each, path])
      continue
    }
    const copy = stagingPath()
    await copyToDisk(path, copy)
    if ((await fileCrc(copy, { signal })) === each.entry.crc32) staged.push([each, copy])
    else {
      await rm(copy)
      left.push(each)
    }
  }
  // Afterward, because a file that is replaced can be the source of another.
  for (const [each, path] of staged) await placer.place(each, path)
  return left
}

async function copyToDisk(path: string, copy: string): Promise<void> {
  await copyFile(path, copy, constants.COPYFILE_FICLONE)
  // The copy of a file that cannot be written cannot be synced on Windows.
  await chmod(copy, 0o644)
  const handle = await open(copy, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
