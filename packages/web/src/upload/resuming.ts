import type { QuaysideClient } from '@quayside/sdk'
import { guardTab } from '../api/page-reload.ts'
import { looksLike, sampleOf } from './file-sample.ts'
import type { createOtherTabs } from './other-tabs.ts'
import type { createRecordStore } from './record-store.ts'
import { restoredUpload } from './restored-upload.ts'
import type { createUploadList } from './upload-list.ts'
import type { createUploadRuns } from './upload-runs.ts'
import { isActive, isFinished, type ChosenFile, type Upload } from './upload.ts'

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
    attach: (upload: Upload, chosen: ChosenFile) => attach(context, upload, chosen),
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
    return await attach(context, upload, { file: await handle.getFile(), handle })
  } catch {
    // The file was moved or deleted, so that it must be chosen again.
    context.list.change(upload.id, { phase: 'needs-file', handle: null })
    return false
  }
}

async function attach(
  { tabs, runs, list, persist }: UploadContext,
  upload: Upload,
  { file, handle }: ChosenFile,
): Promise<boolean> {
  if (!looksLike(file, upload) || (await sampleOf(file)) !== upload.sample) return false
  if (!(await tabs.claim(upload.id))) return true
  runs.attach(upload.id, file)
  list.change(upload.id, { handle: handle ?? upload.handle })
  persist(upload.id)
  runs.start(upload.id)
  return true
}
