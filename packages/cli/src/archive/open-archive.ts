import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type { Content, Spool } from '@quayside/sdk/archive-content'
import { archiveEntry, countEntries, lastAtMost, layOut } from '@quayside/sdk/archive-layout'
import type { ArchiveEntry, Segments } from '@quayside/sdk/archive-layout'
import { archivePrefix } from '@quayside/sdk/folder-rules'
import type { CommandContext } from '../command-context.ts'
import { Failure } from '../failure.ts'
import { FileChangedError, uploadName } from '../transfer/local-file.ts'
import type { ByteRange, LocalFile } from '../transfer/local-file.ts'
import { isUnchanged, listEntries } from './list-entries.ts'
import type { FolderEntry } from './list-entries.ts'
import { crc32, readContent } from './read-content.ts'
import { SegmentReader } from './segment-reader.ts'

export type ArchiveOptions = {
  /** Stores modification times, which are different after each checkout. */
  keepTimes: boolean
}

const spoolBytes = 128 * 1024 * 1024

/**
 * Opens a folder as a ZIP archive that is created while it is read. All files are read once to find out their sizes in the
 * archive, and again when they are sent.
 */
export async function openArchive(
  context: Pick<CommandContext, 'output' | 'runtime' | 'signal'>,
  folder: string,
  { keepTimes }: ArchiveOptions,
): Promise<LocalFile> {
  const path = resolve(context.runtime.cwd, folder)
  const entries = await whileReading(context, folder, () => readEntries(context, path, keepTimes))
  const layout = layOut(entries)
  const reader = new SegmentReader(layout)
  return {
    path,
    filename: uploadName(folder, `${basename(path)}.zip`, layout.sizeBytes),
    folder: path,
    sizeBytes: layout.sizeBytes,
    revision: revisionOf(entries, keepTimes),
    handle: {
      async read(bytes, offset, length, position) {
        return { bytesRead: await reader.read(bytes.subarray(offset, offset + length), position) }
      },
      close: () => Promise.resolve(),
    },
    async requireUnchanged(range = { start: 0, sizeBytes: layout.sizeBytes }) {
      for (const { entry } of entriesIn(entries, layout, range))
        if (!(await isUnchanged(entry))) throw new FileChangedError(entry.path)
    },
    countFiles: ({ start, sizeBytes }) => countEntries(layout, start, start + sizeBytes),
  }
}

async function readEntries(
  { output, signal }: Pick<CommandContext, 'output' | 'signal'>,
  path: string,
  keepTimes: boolean,
): Promise<ArchiveEntry<FolderEntry>[]> {
  const listed = await listEntries(path, signal)
  const totalBytes = listed.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  const label = `Reading ${basename(path)}`
  const progress = output.progress({ label, totalBytes, totalFiles: listed.length, alreadyDoneBytes: 0 })
  const spool: Spool = { leftBytes: spoolBytes }
  const prefix = archivePrefix(basename(path))
  const entries: ArchiveEntry<FolderEntry>[] = []
  try {
    for (const entry of listed) {
      let leftBytes = entry.sizeBytes
      const onBytes = (bytes: number) => {
        leftBytes -= bytes
        progress.add(bytes, leftBytes === 0 ? 1 : 0)
      }
      if (leftBytes === 0) progress.add(0, 1)
      const content = leftBytes > 0 ? await readContent(entry, { spool, signal, onBytes }) : undefined
      const modifiedAt = keepTimes ? new Date(Number(entry.mtimeNs / 1_000_000n)) : undefined
      const { zip } = archiveEntry(withMode(entry, content), content, { prefix, modifiedAt, crc32 })
      entries.push({ entry, zip, content })
    }
  } finally {
    progress.end()
  }
  return entries
}

/** Windows has no executable bits, so programs for other systems are recognized by their first bytes there. */
const withMode = (entry: FolderEntry, content: Content | undefined): FolderEntry =>
  process.platform === 'win32' ? { ...entry, isExecutable: content?.isProgram === true } : entry

function revisionOf(entries: ArchiveEntry<FolderEntry>[], keepTimes: boolean): string {
  const hash = createHash('sha256').update(String(keepTimes))
  for (const { entry } of entries)
    hash.update(
      JSON.stringify([entry.name, entry.sizeBytes, String(entry.mtimeNs), entry.isExecutable, entry.target]),
    )
  return hash.digest('hex')
}

/** Returns the entries with bytes in a range of the archive. */
function entriesIn(
  entries: ArchiveEntry<FolderEntry>[],
  { entryEnds }: Segments<FolderEntry>,
  { start, sizeBytes }: ByteRange,
): ArchiveEntry<FolderEntry>[] {
  return entries.slice(lastAtMost(entryEnds, start), lastAtMost(entryEnds, start + sizeBytes - 1) + 1)
}

async function whileReading<Result>(
  { signal }: Pick<CommandContext, 'signal'>,
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Failure('interrupted', `Interrupted while reading ${folder}. Nothing was uploaded.`)
  }
}
