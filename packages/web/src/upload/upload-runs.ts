import { QuaysideError, type QuaysideClient } from '@quayside/sdk'
import { fieldErrorsOf } from '../api/errors.ts'
import { loadModule } from '../api/load-module.ts'
import { createConnectionSlots, type ConnectionSlots } from './connection-slots.ts'
import { BusyError, retryUntilDone, type RetryWait } from './retry-until-done.ts'
import { createTransferRate } from './transfer-rate.ts'
import type { UploadList } from './upload-list.ts'
import { fieldProblems, formErrors } from './upload-request.ts'
import type { UploadSource } from './upload-source.ts'
import type { Upload, UploadRecord } from './upload.ts'
import { uploadedBuild } from './uploaded-build.ts'

type Run = {
  controller: AbortController
  sentBytes: number
  check: (() => void) | undefined
  saveDraft: (() => void) | undefined
}

type Options = {
  client: QuaysideClient
  list: UploadList
  save: (id: string, change: Partial<UploadRecord>) => void
  onDone: (upload: Upload) => void
  /** Called several times per second while an upload sends bytes. */
  onProgress: (upload: Upload) => void
}

type Context = Options & {
  slots: ConnectionSlots
  /** IDs of the uploads of which a field is being edited. */
  editing: ReadonlySet<string>
}

// Browsers open six connections to a server over HTTP/1.1. The others are for the API and its events.
const connections = 3
const tickMs = 250
const focusChangeMs = 300

// Every page can receive files, but few do.
const loadSender = () => loadModule(() => import('./send-upload.ts'), false)

/** Runs uploads, at most three parts at a time, and reports their progress in the list. */
export function createUploadRuns(options: Options) {
  const { list, onDone } = options
  const files = new Map<string, UploadSource>()
  const runs = new Map<string, Run>()
  const editing = new Set<string>()
  const context: Context = { ...options, slots: createConnectionSlots(connections), editing }

  async function start(id: string): Promise<void> {
    const file = files.get(id)
    const upload = list.find(id)
    if (file === undefined || upload === undefined || runs.has(id)) return
    if (upload.applicationId === '') return list.change(id, { phase: 'needs-application' })
    if (upload.fields.platform === null)
      return list.change(id, { phase: 'needs-platform', error: null, fieldErrors: {} })
    const run: Run = {
      controller: new AbortController(),
      sentBytes: upload.sentBytes,
      check: undefined,
      saveDraft: undefined,
    }
    runs.set(id, run)
    const reset = { error: null, fieldErrors: {}, bytesPerSecond: null, retryAt: null }
    list.change(id, { ...reset, phase: 'waiting' })
    const stopTicking = showProgress(context, { id, run, file })
    const restart = () => {
      stop(id)
      void start(id)
    }
    try {
      const build = await send(context, { upload, file, run, restart })
      list.change(id, { phase: 'done', build: uploadedBuild(build) })
      detach(id)
      const done = list.find(id)
      if (done !== undefined) onDone(done)
    } catch (error) {
      // Whoever stopped the run has set the phase.
      if (!run.controller.signal.aborted)
        list.change(id, { phase: 'failed', error, fieldErrors: formErrors(fieldErrorsOf(error)) })
    } finally {
      stopTicking()
      if (runs.get(id) === run) runs.delete(id)
    }
  }

  /** Stops the run and waits until it has ended. */
  function stop(id: string): void {
    const run = runs.get(id)
    runs.delete(id)
    run?.controller.abort(new DOMException('The upload was stopped.', 'AbortError'))
  }

  function detach(id: string): void {
    files.get(id)?.close?.()
    files.delete(id)
  }

  /** Sends changed fields to the server, and verifies an upload whose bytes have all arrived if they are complete. */
  function check(id: string): void {
    const run = runs.get(id)
    run?.check?.()
    if (!editing.has(id)) run?.saveDraft?.()
  }

  return {
    start: (id: string): void => void start(id),
    stop,
    /** Returns whether changed fields are sent to the server while the run continues. */
    savesDraft: (id: string): boolean => runs.get(id)?.saveDraft !== undefined,
    hasFile: (id: string): boolean => files.has(id),
    attach: (id: string, file: UploadSource): void => void files.set(id, file),
    detach,
    check,
    setEditing(id: string, isEditing: boolean): void {
      if (isEditing) editing.add(id)
      else editing.delete(id)
      // The focus may be moving to another field of the same upload.
      if (!isEditing) setTimeout(() => check(id), focusChangeMs)
    },
  }
}

type Sending = { upload: Upload; file: UploadSource; run: Run; restart: () => void }

/** Sends a file and has it verified as soon as its fields are complete. Returns the build. */
async function send(context: Context, { upload, file, run, restart }: Sending) {
  const { list } = context
  const { id } = upload
  const { signal } = run.controller
  const onWait = (wait: RetryWait) => list.change(id, { ...waitingFor(wait), sentBytes: run.sentBytes })
  const { sendUpload } = await retryUntilDone(loadSender, { signal, onWait })
  const { build } = await sendUpload({
    client: context.client,
    slots: context.slots,
    file,
    signal,
    read: () => list.find(id) ?? upload,
    save: (change) => context.save(id, change),
    onStart: () => list.change(id, { phase: 'uploading' }),
    onSent: (bytes) => receive(list, { id, run, bytes }),
    onWait,
    whenComplete: () => whenComplete(context, id, run),
    onVerify: () => list.change(id, { ...allSent(list.find(id) ?? upload), phase: 'verifying' }),
    onDraft: (saveDraft) => void (run.saveDraft = saveDraft),
    onOtherFiles: restart,
    onRejected: (error) => list.change(id, { fieldErrors: formErrors(fieldErrorsOf(error)) }),
  })
  return build
}

function receive(list: UploadList, { id, run, bytes }: { id: string; run: Run; bytes: number }): void {
  const phase = list.find(id)?.phase
  const isMore = bytes > run.sentBytes
  run.sentBytes = bytes
  if (isMore && (phase === 'retrying' || phase === 'offline'))
    list.change(id, { phase: 'uploading', retryAt: null })
}

/** Shows the progress at regular intervals, because the browser reports it for every few kilobytes. */
function showProgress(
  { list, onProgress }: Context,
  { id, run, file }: { id: string; run: Run; file: UploadSource },
): () => void {
  const rate = createTransferRate()
  const update = () => {
    const upload = list.find(id)
    if (upload === undefined || upload.phase === 'done') return
    const bytesPerSecond = upload.phase === 'uploading' ? rate.measure(run.sentBytes, Date.now()) : null
    if (upload.phase !== 'uploading') rate.reset()
    if (upload.sentBytes === run.sentBytes && upload.bytesPerSecond === bytesPerSecond) return
    const sentFiles = file.countFiles?.(run.sentBytes) ?? null
    list.change(id, { sentBytes: run.sentBytes, sentFiles, bytesPerSecond })
    onProgress({ ...upload, sentBytes: run.sentBytes, sentFiles, bytesPerSecond })
  }
  const timer = setInterval(update, tickMs)
  return () => {
    clearInterval(timer)
    update()
  }
}

async function whenComplete({ list, editing }: Context, id: string, run: Run): Promise<void> {
  for (;;) {
    const upload = list.find(id)
    if (upload === undefined) return
    const fieldErrors = fieldProblems(upload.fields)
    const isComplete = Object.keys(fieldErrors).length === 0 && !editing.has(id)
    if (isComplete) return
    list.change(id, { ...allSent(upload), phase: 'incomplete', fieldErrors })
    await new Promise<void>((resolve, reject) => {
      run.check = resolve
      const { signal } = run.controller
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }
}

const allSent = ({ sizeBytes, folderFiles }: Upload) => ({ sentBytes: sizeBytes, sentFiles: folderFiles })

const waitingFor = (wait: RetryWait): Partial<Upload> =>
  wait.phase === 'offline'
    ? { phase: 'offline', error: null, bytesPerSecond: null, retryAt: null }
    : {
        phase: 'retrying',
        error: wait.error instanceof QuaysideError || wait.error instanceof BusyError ? wait.error : null,
        bytesPerSecond: null,
        retryAt: wait.at,
      }
