import { countEntries } from '@quayside/sdk/archive-layout'
import { archivePrefix } from '@quayside/sdk/folder-rules'
import { FileGoneError, type OpenedSource } from '../upload-source.ts'
import type { ArchiveProgress, FileArchive } from './file-archive.ts'
import type { FolderNode } from './folder-tree.ts'
import { listFolder, type ListedEntry } from './list-folder.ts'

export type ToWorker =
  | { type: 'open'; entries: readonly ListedEntry[]; prefix: string }
  | { type: 'slice' | 'check'; start: number; end: number }

export type FromWorker =
  | { type: 'progress'; progress: ArchiveProgress }
  | { type: 'done'; id: number; value: unknown }
  | { type: 'failed'; id: number; message: string }

export type FolderProgress = ArchiveProgress & { totalBytes: number; totalFiles: number }

export type OpenFolder = { signal: AbortSignal; onProgress: (progress: FolderProgress) => void }

/** Opens a folder as a ZIP archive that is created while it is sent, with the bytes that the command line sends. */
export async function openFolder(
  folder: FolderNode,
  { signal, onProgress }: OpenFolder,
): Promise<OpenedSource> {
  const entries = await listFolder(folder, signal)
  const totalBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const totals = { totalBytes, totalFiles: entries.length }
  onProgress({ ...totals, bytes: 0, files: 0 })
  const worker = startWorker((progress) => onProgress({ ...totals, ...progress }))
  const close = () => worker.terminate()
  signal.addEventListener('abort', close, { once: true })
  try {
    const prefix = archivePrefix(folder.name)
    const opened = (await worker.call({ type: 'open', entries, prefix }, signal)) as Pick<
      FileArchive,
      'sizeBytes' | 'entryEnds' | 'sample'
    >
    return {
      filename: `${folder.name}.zip`,
      lastModified: 0,
      sample: opened.sample,
      folderFiles: entries.length,
      source: {
        sizeBytes: opened.sizeBytes,
        // Parts whose content is deflated are in memory while they are sent.
        partsAtOnce: 2,
        slice: async (start, end) => (await worker.call({ type: 'slice', start, end })) as Blob,
        async requireReadable(start, end) {
          await worker.call({ type: 'check', start, end })
        },
        countFiles: (sentBytes) => countEntries(opened, 0, sentBytes),
        close,
      },
    }
  } catch (error) {
    close()
    throw error
  } finally {
    signal.removeEventListener('abort', close)
  }
}

type Call = { resolve: (value: unknown) => void; reject: (error: Error) => void }

function startWorker(onProgress: (progress: ArchiveProgress) => void) {
  const worker = new Worker(new URL('./file-archive.worker.ts', import.meta.url), { type: 'module' })
  const calls = new Map<number, Call>()
  let lastId = 0
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'progress') return onProgress(data.progress)
    const call = calls.get(data.id)
    calls.delete(data.id)
    if (data.type === 'done') call?.resolve(data.value)
    else call?.reject(new FileGoneError(data.message))
    return undefined
  })
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of calls.values()) reject(new Error(message))
    calls.clear()
  })
  return {
    call(message: ToWorker, signal?: AbortSignal): Promise<unknown> {
      const id = ++lastId
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      calls.set(id, { resolve, reject })
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      worker.postMessage({ ...message, id })
      return promise
    },
    terminate: (): void => worker.terminate(),
  }
}
