import type { QuaysideClient } from '@quayside/sdk'
import { loadModule } from '../api/load-module.ts'
import { guardTab } from '../api/page-reload.ts'
import { looksLike } from './file-sample.ts'
import type { OpenFolder } from './folder/open-folder.ts'
import type { createOtherTabs } from './other-tabs.ts'
import type { createRecordStore } from './record-store.ts'
import { restoredUpload } from './restored-upload.ts'
import type { createUploadList } from './upload-list.ts'
import type { createUploadRuns } from './upload-runs.ts'
import { openSource, type OpenedSource } from './upload-source.ts'
import { isActive, isFinished, type Chosen, type Upload } from './upload.ts'

export type UploadContext = {
  client: QuaysideClient
  records: ReturnType<typeof createRecordStore>
  tabs: ReturnType<typeof createOtherTabs>
  list: ReturnType<typeof createUploadList>
  runs: ReturnType<typeof createUploadRuns>
  persist: (id: string) => void
  /** Returns the person and workspace whose uploads are shown. */
  owner: () => string
}

const otherTabsMs = 3_000

/** Creates the functions that continue uploads of earlier pages, and follow those of other tabs. */
export function createResuming(context: UploadContext) {
  const { client, records, tabs, list, runs, owner } = context
  let isWatching = false

  /** Follows the other tabs, and warns before this tab is closed while it uploads. */
  function watch(): void {
    if (isWatching) return
    isWatching = true
    tabs.listen((message) => {
      if (message.type === 'ended') void restore()
      else if (message.upload.owner === owner() && !runs.hasFile(message.upload.id))
        list.put({ ...message.upload, phase: 'elsewhere' })
    })
    setInterval(() => {
      if (list.list().some(({ phase }) => phase === 'elsewhere')) void restore()
    }, otherTabsMs)
    guardTab(() => list.list().some(isActive))
  }

  /** Adds the unfinished uploads of this browser that the list lacks, and updates those of other tabs. */
  async function restore(): Promise<void> {
    const kept = await records.list()
    for (const { id, phase } of list.list())
      if (phase === 'elsewhere' && !kept.some((record) => record.id === id)) list.remove(id)
    for (const record of kept) {
      const phase = list.find(record.id)?.phase
      if (record.owner !== owner() || (phase !== undefined && phase !== 'elsewhere')) continue
      if (await tabs.isClaimed(record.id)) {
        if (phase === undefined) list.put({ ...(await restoredUpload(client, record)), phase: 'elsewhere' })
        continue
      }
      const upload = await restoredUpload(client, record)
      // The file may have been chosen again in the meantime.
      if (runs.hasFile(record.id)) continue
      list.put(upload)
      if (isFinished(upload)) void records.remove(upload.id)
      if (upload.phase === 'needs-permission') void resumeFromHandle(context, upload, 'query')
    }
  }

  return {
    watch,
    restore,
    /** Resumes an upload with a file that was chosen again. Returns false if it is another file. */
    attach: (upload: Upload, chosen: Chosen) => attach(context, upload, chosen),
    resumeFromHandle: (upload: Upload, how: 'query' | 'request') => resumeFromHandle(context, upload, how),
  }
}

async function resumeFromHandle(
  context: UploadContext,
  upload: Upload,
  how: 'query' | 'request',
): Promise<boolean> {
  const { handle } = upload
  if (handle === null) return false
  try {
    const permission = how === 'query' ? await handle.queryPermission() : await handle.requestPermission()
    if (permission !== 'granted') return false
    return await attach(context, upload, await chosenFrom(handle))
  } catch {
    // The file was moved or deleted, so that it must be chosen again.
    context.list.change(upload.id, { phase: 'needs-file', handle: null })
    return false
  }
}

async function attach(context: UploadContext, upload: Upload, chosen: Chosen): Promise<boolean> {
  const { list } = context
  const { id, phase, sentBytes } = upload
  if ('folder' in chosen) {
    if (`${chosen.folder.name}.zip` !== upload.filename) return false
    list.change(id, { phase: 'reading' })
  }
  try {
    const opened = await openSource(chosen, readingOptions(context, id))
    return await attachSource(context, upload, opened, chosen.handle)
  } finally {
    if (list.find(id)?.phase === 'reading')
      list.change(id, {
        phase,
        sentBytes,
        sizeBytes: upload.sizeBytes,
        folderFiles: upload.folderFiles,
        sentFiles: null,
      })
  }
}

/** Resumes an upload with what was opened again. Returns false if it is another file or folder. */
export async function attachSource(
  { tabs, runs, list, persist }: UploadContext,
  upload: Upload,
  opened: OpenedSource,
  handle: FileSystemHandle | null,
): Promise<boolean> {
  const { source, sample } = opened
  const isSame = looksLike({ ...opened, sizeBytes: source.sizeBytes }, upload) && sample === upload.sample
  if (!isSame || !(await tabs.claim(upload.id))) {
    source.close?.()
    return isSame
  }
  runs.attach(upload.id, source)
  const { sizeBytes, folderFiles } = upload
  list.change(upload.id, { sizeBytes, folderFiles, handle: handle ?? upload.handle })
  persist(upload.id)
  runs.start(upload.id)
  return true
}

/** Shows how much of a folder has been read. Reading stops if the upload is canceled. */
export function readingOptions({ list }: Pick<UploadContext, 'list'>, id: string): OpenFolder {
  const controller = new AbortController()
  return {
    signal: controller.signal,
    onProgress({ bytes, files, totalBytes, totalFiles }) {
      if (list.find(id) === undefined) controller.abort(new DOMException('Canceled.', 'AbortError'))
      list.change(id, {
        sentBytes: bytes,
        sizeBytes: totalBytes,
        sentFiles: files,
        folderFiles: totalFiles,
      })
    },
  }
}

async function chosenFrom(handle: FileSystemHandle): Promise<Chosen> {
  if (handle instanceof FileSystemFileHandle) return { file: await handle.getFile(), handle }
  const { nodeOfHandle } = await loadModule(() => import('./folder/folder-tree.ts'), false)
  return { folder: nodeOfHandle(handle), handle }
}
