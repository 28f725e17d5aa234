import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder as stateName } from '@quayside/sdk/folder-rules'
import type { CommandContext } from '../command-context.ts'
import { Failure } from '../failure.ts'
import { isFileError } from '../files/file-error.ts'
import { cannotWrite } from '../files/file-failure.ts'
import { ReuseError } from '../reuse/reuse-context.ts'
import { safeFolderName } from '../transfer/safe-name.ts'
import type { ArchiveEntry, NameRules } from './archive-entry.ts'
import { compareFolder } from './compare-folder.ts'
import type { Comparison } from './compare-folder.ts'
import { targetProblem, unsafeArchive } from './entry-rules.ts'
import { lockFolder } from './folder-lock.ts'
import { loadFolderState, saveFolderState } from './folder-state.ts'
import type { FileRecord, FolderState } from './folder-state.ts'
import { listFolder } from './list-folder.ts'
import type { LocalItem } from './list-folder.ts'
import { openChunked, openUnverified, openWhole } from './open-remote.ts'
import type { OpenedArchive } from './open-remote.ts'
import { Placer } from './placer.ts'
import { planChunks } from './plan-chunks.ts'
import { readDirectory } from './read-directory.ts'
import type { RemoteArchive } from './remote-archive.ts'
import { takeSameContent } from './same-content.ts'
import { takePatched } from './take-patched.ts'
import type { Patched } from './take-patched.ts'
import { createLinks, unpackFiles } from './unpack-entries.ts'
import { readLink } from './unpack-entry.ts'

export type SyncOptions = {
  /** Absolute path of the folder, which is created if necessary. */
  folder: string
  buildId: string
  remote: RemoteArchive
  /** Removes files that belong to no build. */
  deletesOthers: boolean
}

/** Numbers of files and links. */
export type SyncCounts = { added: number; changed: number; removed: number; unchanged: number }

export type SyncResult = SyncCounts & {
  receivedBytes: number
  reusedBytes: number
  /** Number of files that were restored with a patch. */
  patched: number
}

type SyncContext = Pick<CommandContext, 'output' | 'signal'>
type Sync = SyncContext & SyncOptions & { rules: NameRules; state: FolderState }

const saveEveryMs = 30_000

/** Changes a folder to the content of an archive, and returns what was done. */
export async function syncFolder(context: SyncContext, options: SyncOptions): Promise<SyncResult> {
  const { folder } = options
  const stateFolder = join(folder, stateName)
  let created: string | undefined
  try {
    created = await mkdir(stateFolder, { recursive: true })
    if (!(await lstat(stateFolder)).isDirectory())
      throw new Failure('failed', `${stateFolder} is not a folder. Delete it, then rerun the command.`)
    const unlock = await lockFolder(stateFolder)
    try {
      return await syncLocked(context, options)
    } finally {
      await unlock()
    }
  } catch (error) {
    await removeCreated(folder, created)
    if (context.signal.aborted)
      throw new Failure('interrupted', `Interrupted while syncing ${folder}. Rerun the command to resume.`)
    throw isFileError(error) ? cannotWrite(folder, error) : error
  }
}

/** Removes the folders that a sync created before it failed, as far as they are empty. */
async function removeCreated(folder: string, created: string | undefined): Promise<void> {
  if (created === undefined) return
  try {
    await rmdir(join(folder, stateName))
    if (created !== join(folder, stateName)) await rmdir(folder)
  } catch {
    // They contain what the next run can use.
  }
}

/** Returns what a sync would do, without writing anything. */
export async function previewSync(context: SyncContext, options: SyncOptions): Promise<SyncCounts> {
  const { folder, remote } = options
  const rules = await findRules(folder)
  const state = await loadFolderState(statePath(folder))
  const entries = await readDirectory(openUnverified(remote, context.signal), rules)
  const isFolder = (await lstat(folder).catch(() => undefined))?.isDirectory() === true
  const items = isFolder ? await listFolder(folder, rules, context.signal) : new Map<string, LocalItem>()
  return countOf(await compareFolder(entries, items, { ...context, ...options, rules, state }), 0)
}

async function syncLocked(context: SyncContext, options: SyncOptions): Promise<SyncResult> {
  const { folder, remote } = options
  // A process that is killed while it saves the state leaves an incomplete copy.
  for (const name of await readdir(join(folder, stateName)))
    if (name.startsWith('state.json.')) await rm(join(folder, stateName, name), { force: true })
  const rules = await findRules(folder)
  const state = await loadFolderState(statePath(folder))
  const sync: Sync = { ...context, ...options, rules, state }
  try {
    return await syncArchive(sync, await openChunked(remote, context.signal))
  } catch (error) {
    if (!(error instanceof ReuseError)) throw error
    context.output.note(`Downloading all of ${remote.filename}. ${error.message}`)
  }
  const downloads = join(folder, stateName, 'archive')
  const path = join(downloads, `${safeFolderName(options.buildId)}.zip`)
  const opened = await openWhole({ ...context, remote, rules, path })
  const result = await syncArchive({ ...sync, state: await loadFolderState(statePath(folder)) }, opened)
  await rm(downloads, { recursive: true, force: true })
  return result
}

async function syncArchive(sync: Sync, opened: OpenedArchive): Promise<SyncResult> {
  const { archive } = opened
  try {
    const entries = await readDirectory(archive, sync.rules)
    const items = await listFolder(sync.folder, sync.rules, sync.signal)
    const comparison = await compareFolder(entries, items, sync)
    const targets = new Map<ArchiveEntry, string>()
    for (const { entry } of comparison.needed) {
      if (entry.kind !== 'link') continue
      const target = await readLink(archive, entry)
      const problem = targetProblem(entry.path, target, sync.rules)
      if (problem !== undefined)
        throw unsafeArchive(`contains the symbolic link ${entry.path}, which ${problem}`)
      targets.set(entry, target)
    }
    const { changedModes, patched } = await writeChanges(sync, {
      opened,
      entries,
      items,
      comparison,
      targets,
    })
    const receivedBytes = opened.receivedBytes() + patched.receivedBytes
    const reusedBytes = Math.max(0, archive.sizeBytes - receivedBytes)
    return { ...countOf(comparison, changedModes), receivedBytes, reusedBytes, patched: patched.count }
  } finally {
    await opened.close()
  }
}

type Changes = {
  opened: OpenedArchive
  entries: readonly ArchiveEntry[]
  items: ReadonlyMap<string, LocalItem>
  comparison: Comparison
  targets: ReadonlyMap<ArchiveEntry, string>
}

/** Changes the folder. Returns the number of files whose mode alone has changed, and what was patched. */
async function writeChanges(
  sync: Sync,
  changes: Changes,
): Promise<{ changedModes: number; patched: Omit<Patched, 'left'> }> {
  const { folder, state, rules, signal } = sync
  const { entries, items, comparison, opened } = changes
  const path = statePath(folder)
  const { records } = comparison
  const owned = [...state.files.keys(), ...entries.map(pathOf)]
  const saveProgress = () =>
    saveFolderState(path, {
      buildId: undefined,
      archiveSha256: state.archiveSha256,
      files: withRecords(owned, records),
    })
  await saveProgress()
  const staging = join(folder, stateName, 'staging')
  const leftovers = await listLeftovers(sync)
  const run = join(staging, randomUUID())
  await mkdir(run, { recursive: true })
  let count = 0
  const stagingPath = () => join(run, String(count++))
  // Until the chunks of all files are known, none is replaced.
  let isFree = (_path: string): boolean => opened.chunked === undefined
  const placer = new Placer({ folder, isWindows: rules.isWindows, isFree: (each) => isFree(each), records })
  const other = await takeSameContent(comparison, items.values(), {
    folder,
    state,
    leftovers,
    placer,
    stagingPath,
    signal,
  })
  const sha256 = opened.chunked?.index.fileSha256
  const { left, ...patched } =
    sha256 === undefined
      ? { left: other, count: 0, receivedBytes: 0 }
      : await takePatched(other, { ...sync, sha256, items: items.values(), records, placer, stagingPath })
  const files = left.filter(({ entry }) => entry.kind === 'file')
  if (opened.chunked !== undefined)
    isFree = await planChunks(opened.chunked, files, { ...sync, entries, comparison, leftovers, placer })
  let savedAt = performance.now()
  const onPlaced = async () => {
    if (performance.now() - savedAt < saveEveryMs) return
    await saveProgress()
    savedAt = performance.now()
  }
  await createLinks(
    left.filter(({ entry }) => entry.kind === 'link'),
    changes.targets,
    entries,
    { placer, stagingPath },
  )
  await unpackFiles(files, {
    ...sync,
    filename: opened.archive.filename,
    archive: opened.archive,
    placer,
    stagingPath,
    onPlaced,
  })
  await placer.placeWaiting()
  for (const each of left) if (each.entry.kind === 'folder') await placer.createFolder(each)
  let changedModes = 0
  for (const [entry, item] of comparison.unchanged)
    if (entry.kind === 'file' && (await placer.fixMode(entry, item.path))) changedModes++
  for (const item of [...comparison.removed, ...comparison.removedFolders]) await placer.remove(item)
  await rm(staging, { recursive: true, force: true })
  const inPlace = withRecords(entries.map(pathOf), records)
  await saveFolderState(path, { buildId: sync.buildId, archiveSha256: sha256, files: inPlace })
  return { changedModes, patched }
}

const statePath = (folder: string): string => join(folder, stateName, 'state.json')

/** Returns the path by which the state names an entry. */
const pathOf = ({ path, kind }: ArchiveEntry): string => (kind === 'folder' ? `${path}/` : path)

const withRecords = (
  paths: readonly string[],
  records: ReadonlyMap<string, FileRecord>,
): Map<string, FileRecord | undefined> => new Map(paths.map((path) => [path, records.get(path)]))

/** Finds out how the file system of a folder compares names. */
async function findRules(folder: string): Promise<NameRules> {
  const isWindows = process.platform === 'win32'
  const stats = async (name: string) =>
    await lstat(join(folder, name), { bigint: true }).catch(() => undefined)
  const [exact, other] = [await stats(stateName), await stats(stateName.toUpperCase())]
  const foldsNames =
    exact === undefined ? isWindows || process.platform === 'darwin' : exact.ino === other?.ino
  return { foldsNames, isWindows }
}

/** Lists what an interrupted run has unpacked, with paths relative to the folder. */
async function listLeftovers({ folder, rules, signal }: Sync): Promise<LocalItem[]> {
  const staging = join(stateName, 'staging')
  await mkdir(join(folder, staging), { recursive: true })
  const items = await listFolder(join(folder, staging), rules, signal)
  return [...items.values()].map((item) => ({ ...item, path: join(staging, item.path) }))
}

function countOf({ needed, removed, unchanged }: Comparison, changedModes: number): SyncCounts {
  const files = needed.filter(({ entry }) => entry.kind !== 'folder')
  const changed = files.filter(({ replaces }) => replaces !== undefined && replaces.kind !== 'folder').length
  const kept = [...unchanged.keys()].filter(({ kind }) => kind !== 'folder').length
  return {
    added: files.length - changed,
    changed: changed + changedModes,
    removed: removed.length,
    unchanged: kept - changedModes,
  }
}
