import type { FileHandle } from 'node:fs/promises'
import { open, symlink } from 'node:fs/promises'
import { posix } from 'node:path'
import type { Output } from '../output/output.ts'
import { parentsOf } from './archive-entry.ts'
import type { Archive, ArchiveEntry } from './archive-entry.ts'
import type { NeededEntry } from './compare-folder.ts'
import type { Placer } from './placer.ts'
import { unpackFile } from './unpack-entry.ts'

type Unpacking = {
  filename: string
  archive: Archive
  placer: Placer
  stagingPath: () => string
  /** Called after files have been placed. */
  onPlaced: () => Promise<void>
  output: Output
  signal: AbortSignal
}

type Unpacked = { needed: NeededEntry; path: string; handle: FileHandle }

/** Files are synced to disk together, because one after another takes longer. */
const maxTogether = 32
const maxBytesTogether = 32 * 1024 * 1024

/** Unpacks files to the staging area, one after another in the order of their positions, and moves them to their places. */
export async function unpackFiles(needed: readonly NeededEntry[], unpacking: Unpacking): Promise<void> {
  const { filename, archive, placer, stagingPath, onPlaced, output, signal } = unpacking
  const totalBytes = needed.reduce((sum, { entry }) => sum + entry.sizeBytes, 0)
  const progress = output.progress({
    label: filename,
    totalBytes,
    totalFiles: needed.length,
    alreadyDoneBytes: 0,
  })
  let together: Unpacked[] = []
  let bytesTogether = 0
  const placeTogether = async () => {
    await Promise.all(together.map(({ handle }) => handle.sync()))
    const unpacked = together
    together = []
    bytesTogether = 0
    await Promise.all(unpacked.map(({ handle }) => handle.close()))
    for (const each of unpacked) await placer.place(each.needed, each.path)
    await placer.placeWaiting()
    await onPlaced()
  }
  try {
    for (const each of needed) {
      signal.throwIfAborted()
      const path = stagingPath()
      const { entry } = each
      const handle =
        entry.sizeBytes === 0 ? await createEmpty(entry, path) : await unpackFile(archive, entry, path)
      together.push({ needed: each, path, handle })
      bytesTogether += entry.sizeBytes
      progress.add(entry.sizeBytes, 1)
      if (together.length >= maxTogether || bytesTogether >= maxBytesTogether) await placeTogether()
    }
    await placeTogether()
  } finally {
    progress.end()
    await Promise.all(together.map(({ handle }) => handle.close()))
  }
}

const createEmpty = ({ isExecutable }: ArchiveEntry, path: string): Promise<FileHandle> =>
  open(path, 'wx', isExecutable ? 0o777 : 0o666)

/** Creates the links of a build. Windows needs to know whether a link points to a folder. */
export async function createLinks(
  needed: readonly NeededEntry[],
  targets: ReadonlyMap<ArchiveEntry, string>,
  entries: readonly ArchiveEntry[],
  { placer, stagingPath }: Pick<Unpacking, 'placer' | 'stagingPath'>,
): Promise<void> {
  const folders = new Set<string>()
  for (const { path, kind } of entries) {
    if (kind === 'folder') folders.add(path)
    for (const parent of parentsOf(path)) folders.add(parent)
  }
  for (const each of needed) {
    const target = targets.get(each.entry) ?? ''
    const resolved = posix.join(posix.dirname(each.entry.path), target)
    const path = stagingPath()
    await symlink(target, path, folders.has(resolved) ? 'dir' : 'file')
    await placer.place(each, path)
  }
}
