import type { QuaysideClient } from '@quayside/sdk'
import { loadModule } from '../api/load-module.ts'
import { abortUpload } from './abort-upload.ts'
import type { Adding } from './add-file.ts'
import { cancelUpload } from './cancel-upload.ts'
import { createOtherTabs } from './other-tabs.ts'
import { createRecordStore } from './record-store.ts'
import { createResuming, type UploadContext } from './resuming.ts'
import { createUploadList } from './upload-list.ts'
import { createUploadRuns } from './upload-runs.ts'
import {
  isFinished,
  unknownState,
  type Chosen,
  type Upload,
  type UploadFields,
  type UploadRecord,
  type UploadTarget,
} from './upload.ts'

/**
 * Uploads files independently of the page that is open. Uploads are kept in the browser, so that they can be resumed
 * after a reload, and each is worked on by one tab only.
 */
export function createUploadQueue({ client, name }: { client: QuaysideClient; name: string }) {
  const context = createContext(client, name)
  const { list, runs } = context
  const { watch, restore, attach, resumeFromHandle } = createResuming(context)

  return {
    list: list.list,
    subscribe: list.subscribe,
    /** Sets the person and workspace whose uploads are shown, and restores those that were interrupted. */
    async open(nextOwner: string): Promise<void> {
      watch()
      context.setOwner(nextOwner)
      await restore()
    },
    /**
     * Starts to upload files and folders. One whose upload was interrupted is resumed instead. Returns the uploads once the
     * files have been read.
     */
    async add(chosen: readonly Chosen[], adding: Adding): Promise<Upload[]> {
      // Every page can receive files, but few do.
      const { addFiles } = await loadModule(() => import('./add-file.ts'), false)
      const ids = await addFiles(context, chosen, adding)
      return list.list().filter(({ id }) => ids.includes(id))
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
    /** Resumes an upload with a file or folder that was chosen again. Returns false if it is another one. */
    async resumeWith(id: string, chosen: Chosen): Promise<boolean> {
      const upload = list.find(id)
      return upload !== undefined && (await attach(upload, chosen))
    },
    /** Cancels an upload. Returns a function that takes this back for some seconds. */
    cancel: (id: string): (() => void) => cancelUpload(context, id),
    /** Removes finished uploads from the list. */
    clearFinished(): void {
      for (const upload of list.list()) if (isFinished(upload)) list.remove(upload.id)
    },
    /** Changes the fields of an upload that has not been verified. */
    setFields: (id: string, change: Partial<UploadFields>): void => setFields(context, id, change),
    /** Uploads a file to another application. Starts over if bytes have been sent. */
    setTarget: (id: string, target: UploadTarget): Promise<void> => setTarget(context, id, target),
    /** While a field is being edited, the upload is not verified. */
    setEditing: runs.setEditing,
  }
}

/** Creates the parts of a queue and connects them. */
function createContext(client: QuaysideClient, name: string) {
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

  /** Sets whose uploads are shown, and forgets those of another person or workspace. */
  function setOwner(nextOwner: string): void {
    if (owner !== nextOwner)
      for (const { id } of list.list()) {
        runs.stop(id)
        runs.detach(id)
        tabs.release(id)
        list.remove(id)
      }
    owner = nextOwner
  }

  return { client, records, tabs, list, runs, persist, leave, owner: () => owner, setOwner }
}

function setFields({ list, runs, persist }: UploadContext, id: string, change: Partial<UploadFields>): void {
  const upload = list.find(id)
  if (upload === undefined) return
  const fieldErrors = { ...upload.fieldErrors }
  for (const name of Object.keys(change) as (keyof UploadFields)[]) delete fieldErrors[name]
  list.change(id, { fields: { ...upload.fields, ...change }, fieldErrors, isEdited: true })
  persist(id)
  const isOtherPlatform = change.platform !== undefined && change.platform !== upload.fields.platform
  const wasInvalid = upload.phase === 'failed' && Object.keys(upload.fieldErrors).length > 0
  const startsOver = isOtherPlatform && !runs.savesDraft(id)
  // The server may have to store the file as another type.
  if (startsOver) runs.stop(id)
  if (startsOver || (wasInvalid && Object.keys(fieldErrors).length === 0)) {
    if (upload.phase !== 'paused') runs.start(id)
  } else runs.check(id)
}

async function setTarget(
  { client, list, runs, persist }: UploadContext,
  id: string,
  target: UploadTarget,
): Promise<void> {
  const { platformIn } = await loadModule(() => import('./describe-file.ts'), false)
  const upload = list.find(id)
  if (upload === undefined || upload.applicationId === target.applicationId) return
  runs.stop(id)
  if (upload.pendingUploadId !== null) void abortUpload(client, upload.pendingUploadId)
  list.change(id, {
    ...unknownState,
    icon: upload.icon,
    applicationId: target.applicationId,
    applicationName: target.applicationName,
    pendingUploadId: null,
    requested: '',
    fields: {
      ...upload.fields,
      stream: target.stream,
      platform: platformIn(upload, target.platforms),
    },
  })
  persist(id)
  if (upload.phase !== 'paused') runs.start(id)
}

const toRecord = ({
  phase: _phase,
  sentBytes: _sentBytes,
  sentFiles: _sentFiles,
  bytesPerSecond: _bytesPerSecond,
  retryAt: _retryAt,
  error: _error,
  fieldErrors: _fieldErrors,
  isEdited: _isEdited,
  icon: _icon,
  build: _build,
  ...record
}: Upload): UploadRecord => record
