import {
  QuaysideError,
  type GetUploadResponse,
  type QuaysideClient,
  type VerifyUploadResponse,
} from '@quayside/sdk'
import { abortUpload } from './abort-upload.ts'
import type { ConnectionSlots } from './connection-slots.ts'
import { randomId } from './random-id.ts'
import { retryUntilDone, type RetryWait } from './retry-until-done.ts'
import { sendParts, type SignedPut } from './send-parts.ts'
import { fieldProblems, isSaved, uploadRequest } from './upload-request.ts'
import type { UploadSource } from './upload-source.ts'
import type { UploadRecord } from './upload.ts'

type RemoteUpload = GetUploadResponse['data']

export type SendingUpload = {
  client: QuaysideClient
  slots: ConnectionSlots
  file: UploadSource
  signal: AbortSignal
  /** Returns the current fields, which can change until the upload is verified. */
  read: () => UploadRecord
  /** Saves what the server knows about the upload. */
  save: (change: Pick<UploadRecord, 'pendingUploadId' | 'requested'>) => void
  /** Called when the first byte is about to be sent. */
  onStart: () => void
  onWait: (wait: RetryWait) => void
  onSent: (sentBytes: number) => void
  /** Resolves when the fields are valid and nobody is editing them. */
  whenComplete: () => Promise<void>
  onVerify: () => void
  /** Receives a function that sends the fields to the server while bytes are being sent. */
  onDraft: (saveDraft: (() => void) | undefined) => void
  /** Called if the fields require another upload, because a platform stores the file as another type. */
  onOtherFiles: () => void
  /** Called if the server rejects fields before the upload is complete. */
  onRejected: (error: unknown) => void
}

const maxRounds = 4
/** The upload no longer exists on the server, so that it starts over. */
const goneCodes = new Set(['upload.expired', 'upload.aborted', 'upload.not_found'])
/** Storage lacks bytes of the upload. They are sent again. */
const incompleteCodes = new Set(['upload.incomplete', 'upload.part_damaged'])
/** The platform gives the file another type, so that the upload starts over. */
const otherFilesCode = 'upload.other_files'

/** Uploads a file: requests the upload or resumes it, sends the missing parts, and verifies it. */
export async function sendUpload(sending: SendingUpload): Promise<VerifyUploadResponse> {
  const { slots, signal, read, save, file, onSent, onWait } = sending
  for (let round = 1; ; round++) {
    try {
      const { remote, signedWhole } = await slots.run(read().createdAt, signal, async () => {
        sending.onStart()
        return prepareUpload(sending)
      })
      if (remote.state !== 'verified') {
        const [primary] = remote.files
        if (primary === undefined) throw new Error('The upload has no file.')
        // A URL for the whole file cannot be reused after a failed attempt, because it may have expired.
        let fresh = signedWhole
        const signWhole = async () => {
          const signed = fresh ?? (await replaceDraft(sending))
          fresh = undefined
          return signed
        }
        const parts = {
          ...sending,
          order: read().createdAt,
          pendingUploadId: remote.pending_upload_id,
          signWhole,
        }
        const draft = createDraft(sending)
        const etags = await sendParts(primary, { ...parts, file, onSent, onWait })
        await draft.end()
        return await verify(sending, etags)
      }
      return await verify(sending, undefined)
    } catch (error) {
      if (!(error instanceof QuaysideError) || round >= maxRounds) throw error
      if (isGone(error)) save({ pendingUploadId: null, requested: '' })
      else if (!incompleteCodes.has(error.code) && error.code !== otherFilesCode) throw error
    }
  }
}

const isGone = ({ status, code }: QuaysideError): boolean =>
  status === 404 || status === 410 || goneCodes.has(code)

type Prepared = { remote: RemoteUpload; signedWhole: SignedPut | undefined }

/** Requests the upload, or returns which parts of an upload that was requested earlier are stored. */
async function prepareUpload(sending: SendingUpload): Promise<Prepared> {
  const { read, save, client } = sending
  const { pendingUploadId: id, requested } = read()
  if (id !== null) {
    const { data: remote } = await retry(sending, (options) =>
      client.getUpload({ pending_upload_id: id }, options),
    )
    if (remote.state === 'verified') return { remote, signedWhole: undefined }
    const isOpen = remote.state === 'requested' || remote.state === 'verifying'
    if (isOpen && !isOtherPlatform(requested, read())) return { remote, signedWhole: undefined }
    if (isOpen) {
      try {
        const signedWhole = await replaceDraft(sending)
        return { remote, signedWhole }
      } catch (error) {
        if (!(error instanceof QuaysideError) || error.code !== otherFilesCode) throw error
        // Another platform can give the file another type, which an upload cannot change.
        await abortUpload(client, id)
      }
    }
    save({ pendingUploadId: null, requested: '' })
  }
  const body = uploadRequest(read())
  const idempotencyKey = randomId()
  const response = await retry(sending, (options) =>
    client.requestUpload({ body }, { ...options, idempotencyKey }),
  )
  save({ pendingUploadId: response.pending_upload_id, requested: JSON.stringify(body) })
  const { data: remote } = await retry(sending, (options) =>
    client.getUpload({ pending_upload_id: response.pending_upload_id }, options),
  )
  return { remote, signedWhole: response.primary_file.presigned_data ?? undefined }
}

function isOtherPlatform(requested: string, record: UploadRecord): boolean {
  const { platform } = JSON.parse(requested || '{}') as { platform?: string }
  return platform !== record.fields.platform
}

/** Replaces the attributes that the server has by the current ones. Returns a new URL for the whole file. */
async function replaceDraft(sending: SendingUpload): Promise<SignedPut> {
  const { client, read, save } = sending
  const { pendingUploadId } = read()
  const body = uploadRequest(read())
  const { primary_file: primary } = await retry(sending, (options) =>
    client.requestUpload(
      {
        body: { ...body, ...(pendingUploadId === null ? {} : { resume_pending_upload_id: pendingUploadId }) },
      },
      { ...options, idempotent: true },
    ),
  )
  save({ pendingUploadId, requested: JSON.stringify(body) })
  return primary.presigned_data ?? { url: '', headers: {} }
}

/** Sends changed fields to the server during the transfer, so that they are kept if the browser is closed. */
function createDraft(sending: SendingUpload) {
  const { read, onDraft, onRejected, onOtherFiles } = sending
  let saving: Promise<void> | undefined
  async function save(): Promise<void> {
    try {
      while (!isSaved(read()) && Object.keys(fieldProblems(read().fields)).length === 0)
        await replaceDraft(sending)
    } catch (error) {
      if (error instanceof QuaysideError && error.code === otherFilesCode) onOtherFiles()
      else if (!sending.signal.aborted) onRejected(error)
    }
  }
  const start = () =>
    void (saving ??= save().finally(() => {
      saving = undefined
    }))
  onDraft(start)
  start()
  return {
    /** Waits until nothing is being saved. */
    async end(): Promise<void> {
      onDraft(undefined)
      await saving
    },
  }
}

async function verify(sending: SendingUpload, etags: string[] | undefined): Promise<VerifyUploadResponse> {
  const { client, read } = sending
  await sending.whenComplete()
  if (!isSaved(read())) await replaceDraft(sending)
  sending.onVerify()
  const body = {
    pending_upload_id: read().pendingUploadId ?? '',
    ...(etags === undefined
      ? {}
      : { multipart_chunks: etags.map((etag, index) => ({ PartNumber: index + 1, ETag: etag })) }),
  }
  return retry(sending, (options) => client.verifyUpload({ body }, { ...options, idempotent: true }))
}

const retry = <T>(
  { signal, onWait }: SendingUpload,
  call: (options: { signal: AbortSignal; retries: number }) => Promise<T>,
): Promise<T> =>
  retryUntilDone((untilOffline) => call({ signal: untilOffline, retries: 0 }), { signal, onWait })
