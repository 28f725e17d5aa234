import type { QuaysideClient } from '@quayside/sdk'
import { uploadText } from '../text/upload.ts'
import { describeFile } from './describe-file.ts'
import { looksLike, sampleOf } from './file-sample.ts'
import { createOtherTabs } from './other-tabs.ts'
import { randomId } from './random-id.ts'
import { createRecordStore } from './record-store.ts'
import { restoredUpload } from './restored-upload.ts'
import { abortUpload } from './send-upload.ts'
import { createUploadList } from './upload-list.ts'
import { createUploadRuns } from './upload-runs.ts'
import { isActive, isFinished, type Upload, type UploadFields, type UploadRecord } from './upload.ts'

export type ChosenFile = { file: File; handle: FileSystemFileHandle | null }

/** The application that files are uploaded to, with what is chosen for each file at first. */
export type UploadTarget = {
  applicationId: string
  applicationName: string
  platforms: readonly string[]
  stream: string
}

const undoMs = 8_000
const otherTabsMs = 3_000

/**
 * Uploads files independently of the page that is open. Uploads are kept in the browser, so that they can be resumed
 * after a reload, and each is worked on by one tab only.
 */
export function createUploadQueue({ client, name }: { client: QuaysideClient; name: string }) {
  const records = createRecordStore(name)
  const tabs = createOtherTabs(name)
  const list = createUploadList()
  let owner = ''
  const runs = createUploadRuns({
    client,
    list,
    save: (id, change) => {
      list.change(id, change)
      persist(id)
    },
    onDone: ({ id }) => {
      void records.remove(id)
      leave(id)
    },
    onProgress: (upload) => tabs.send({ type: 'progress', upload: { ...upload, error: null } }),
  })

  const persist = (id: string): void => {
    const upload = list.find(id)
    if (upload !== undefined) void records.save(toRecord(upload))
  }

  /** Lets other tabs know that this tab no longer works on the upload. */
  function leave(id: string): void {
    tabs.release(id)
    tabs.send({ type: 'ended', id })
  }

  let isWatching = false

  /** Follows the other tabs, and warns before this tab is closed while it uploads. */
  function watch(): void {
    if (isWatching) return
    isWatching = true
    tabs.listen((message) => {
      if (message.type === 'ended') void restore()
      else if (message.upload.owner === owner && !runs.hasFile(message.upload.id))
        list.put({ ...message.upload, phase: 'elsewhere' })
    })
    setInterval(() => {
      if (list.list().some(({ phase }) => phase === 'elsewhere')) void restore()
    }, otherTabsMs)
    window.addEventListener('beforeunload', (event) => {
      if (list.list().some(isActive)) event.preventDefault()
    })
  }

  /** Adds the unfinished uploads of this browser that the list lacks, and updates those of other tabs. */
  async function restore(): Promise<void> {
    const kept = await records.list()
    for (const { id, phase } of list.list())
      if (phase === 'elsewhere' && !kept.some((record) => record.id === id)) list.remove(id)
    for (const record of kept) {
      const phase = list.find(record.id)?.phase
      if (record.owner !== owner || (phase !== undefined && phase !== 'elsewhere')) continue
      if (await tabs.isClaimed(record.id)) {
        if (phase === undefined) list.put({ ...(await restoredUpload(client, record)), phase: 'elsewhere' })
        continue
      }
      const upload = await restoredUpload(client, record)
      // The file may have been chosen again in the meantime.
      if (runs.hasFile(record.id)) continue
      list.put(upload)
      if (isFinished(upload)) void records.remove(upload.id)
      if (upload.phase === 'needs-permission') void resumeFromHandle(upload, 'query')
    }
  }

  async function resumeFromHandle(upload: Upload, how: 'query' | 'request'): Promise<boolean> {
    const { handle } = upload
    if (handle === null) return false
    try {
      const permission = how === 'query' ? await handle.queryPermission() : await handle.requestPermission()
      if (permission !== 'granted') return false
      return await attach(upload, { file: await handle.getFile(), handle })
    } catch {
      // The file was moved or deleted, so that it must be chosen again.
      list.change(upload.id, { phase: 'needs-file', handle: null })
      return false
    }
  }

  /** Resumes an upload with a file that was chosen again. Returns false if it is another file. */
  async function attach(upload: Upload, { file, handle }: ChosenFile): Promise<boolean> {
    if (!looksLike(file, upload) || (await sampleOf(file)) !== upload.sample) return false
    if (!(await tabs.claim(upload.id))) return true
    runs.attach(upload.id, file)
    list.change(upload.id, { handle: handle ?? upload.handle })
    persist(upload.id)
    runs.start(upload.id)
    return true
  }

  async function addFile(chosen: ChosenFile, target: UploadTarget, createdAt: number): Promise<void> {
    const { file, handle } = chosen
    const earlier = list
      .list()
      .find(
        (upload) =>
          upload.applicationId === target.applicationId && !isFinished(upload) && looksLike(file, upload),
      )
    if (earlier !== undefined) {
      if (runs.hasFile(earlier.id)) runs.start(earlier.id)
      else await attach(earlier, chosen)
      return
    }
    const { applicationId, applicationName, platforms, stream } = target
    const id = randomId()
    await tabs.claim(id)
    runs.attach(id, file)
    list.put({
      id,
      owner,
      applicationId,
      applicationName,
      filename: file.name,
      sizeBytes: file.size,
      lastModified: file.lastModified,
      sample: '',
      handle,
      fields: { platform: null, version: '', buildNumber: '', stream, labels: [] },
      pendingUploadId: null,
      requested: '',
      createdAt,
      phase: 'reading',
      sentBytes: 0,
      bytesPerSecond: null,
      retryAt: null,
      error: null,
      fieldErrors: {},
      icon: null,
      build: null,
    })
    try {
      if (file.size === 0) throw new Error(uploadText.emptyFile)
      const [sample, { icon, ...found }] = await Promise.all([sampleOf(file), describeFile(file, platforms)])
      const fields = list.find(id)?.fields
      if (fields === undefined) return
      list.change(id, { sample, icon, fields: { ...fields, ...found } })
      persist(id)
      runs.start(id)
    } catch (error) {
      list.change(id, { phase: 'failed', error })
    }
  }

  return {
    list: list.list,
    subscribe: list.subscribe,
    /** Sets the person and workspace whose uploads are shown, and restores those that were interrupted. */
    async open(nextOwner: string): Promise<void> {
      watch()
      if (owner !== nextOwner)
        for (const { id } of list.list()) {
          runs.stop(id)
          runs.detach(id)
          tabs.release(id)
          list.remove(id)
        }
      owner = nextOwner
      await restore()
    },
    /** Starts to upload files. A file whose upload was interrupted is resumed instead. */
    add: (files: readonly ChosenFile[], target: UploadTarget): void => {
      const now = performance.timeOrigin + performance.now()
      // The order of the files, which are read in parallel, is the order in which they are sent.
      for (const [index, file] of files.entries()) void addFile(file, target, now + index / 1000)
    },
    pause(id: string): void {
      runs.stop(id)
      list.change(id, { phase: 'paused', bytesPerSecond: null, retryAt: null })
    },
    /** Resumes an upload whose file is known. */
    resume(id: string): void {
      const upload = list.find(id)
      if (upload?.phase === 'needs-permission') void resumeFromHandle(upload, 'request')
      else runs.start(id)
    },
    /** Resumes an upload with a file that was chosen again. Returns false if it is another file. */
    async resumeWith(id: string, chosen: ChosenFile): Promise<boolean> {
      const upload = list.find(id)
      return upload !== undefined && (await attach(upload, chosen))
    },
    /** Cancels an upload. Returns a function that takes this back for some seconds. */
    cancel(id: string): () => void {
      const upload = list.find(id)
      runs.stop(id)
      list.remove(id)
      if (upload === undefined) return () => {}
      void records.remove(id)
      const forget = async () => {
        runs.detach(id)
        if (upload.pendingUploadId !== null) await abortUpload(client, upload.pendingUploadId)
        leave(id)
      }
      const timer = setTimeout(() => void forget(), undoMs)
      return () => {
        clearTimeout(timer)
        list.put({ ...upload, phase: runs.hasFile(id) ? 'paused' : upload.phase })
        persist(id)
        runs.start(id)
      }
    },
    /** Removes finished uploads from the list. */
    clearFinished(): void {
      for (const upload of list.list()) if (isFinished(upload)) list.remove(upload.id)
    },
    /** Changes the fields of an upload that has not been verified. */
    setFields(id: string, change: Partial<UploadFields>): void {
      const upload = list.find(id)
      if (upload === undefined) return
      const fieldErrors = { ...upload.fieldErrors }
      for (const name of Object.keys(change) as (keyof UploadFields)[]) delete fieldErrors[name]
      list.change(id, { fields: { ...upload.fields, ...change }, fieldErrors })
      persist(id)
      const isOtherPlatform = change.platform !== undefined && change.platform !== upload.fields.platform
      const wasInvalid = upload.phase === 'failed' && Object.keys(upload.fieldErrors).length > 0
      // The server may have to store the file as another type.
      if (isOtherPlatform && runs.isRunning(id)) runs.stop(id)
      if (isOtherPlatform || (wasInvalid && Object.keys(fieldErrors).length === 0)) {
        if (upload.phase !== 'paused') runs.start(id)
      } else runs.check(id)
    },
    /** While a field is being edited, the upload is not verified. */
    setEditing: runs.setEditing,
  }
}

const toRecord = ({
  phase: _phase,
  sentBytes: _sentBytes,
  bytesPerSecond: _bytesPerSecond,
  retryAt: _retryAt,
  error: _error,
  fieldErrors: _fieldErrors,
  icon: _icon,
  build: _build,
  ...record
}: Upload): UploadRecord => record
