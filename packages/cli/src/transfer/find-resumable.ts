import { QuaysideError } from '@quayside/sdk'
import type { GetUploadResponse } from '@quayside/sdk'
import { planParts } from './part-plan.ts'
import { rangeMd5 } from './range-md5.ts'
import type { LocalFiles, UploadContext } from './upload-context.ts'
import { isSameFile, loadState, removeState } from './upload-state.ts'
import type { FileRole, StateFile, UploadState } from './upload-state.ts'

type RemoteFile = GetUploadResponse['data']['files'][number]

/** ETags of the stored parts that match the local file, by role and part number (0 for the whole file). */
export type StoredParts = Record<FileRole, Map<number, string>>

export type Resumable =
  | { kind: 'none' }
  | { kind: 'verified'; buildId: string }
  | { kind: 'open'; state: UploadState; stored: StoredParts }

/** Finds an earlier run of the same upload. If it cannot be resumed, aborts it and removes its state. */
export async function findResumable(
  context: UploadContext,
  fingerprint: string,
  files: LocalFiles,
): Promise<Resumable> {
  const state = await loadState(context.statePath)
  if (!state) return { kind: 'none' }
  const remote = await findRemoteUpload(context, state.pendingUploadId)
  const isSame =
    state.files.length === files.length &&
    files.every(({ role, file }) =>
      state.files.some((saved) => saved.role === role && isSameFile(saved, file)),
    )
  if (
    remote?.state === 'verified' &&
    remote.build_id !== null &&
    isSame &&
    state.fingerprint === fingerprint
  ) {
    return { kind: 'verified', buildId: remote.build_id }
  }
  const isOpen = remote?.state === 'requested' || remote?.state === 'verifying'
  if (isOpen && isSame && state.fingerprint === fingerprint) {
    return { kind: 'open', state, stored: await findStoredParts(context, files, state, remote.files) }
  }
  if (isOpen) {
    const changed = isSame ? 'the settings have' : 'the file has'
    context.output.note(`Cannot resume the interrupted upload because ${changed} changed. Starting over.`)
    await tryAbortUpload(context, state.pendingUploadId)
  }
  await removeState(context.statePath)
  return { kind: 'none' }
}

/** Returns the upload as the server reports it, or undefined if the server does not have it. */
export async function findRemoteUpload(
  { client, signal }: UploadContext,
  id: string,
): Promise<GetUploadResponse['data'] | undefined> {
  try {
    return (await client.getUpload({ pending_upload_id: id }, { signal })).data
  } catch (error) {
    if (error instanceof QuaysideError && [400, 404, 410, 422].includes(error.status)) return undefined
    throw error
  }
}

/** Aborts an upload. Ignores server errors, because the upload may already have been removed. */
export async function tryAbortUpload({ client }: UploadContext, id: string): Promise<void> {
  try {
    await client.abortUpload({ body: { pending_upload_id: id } }, { idempotent: true })
  } catch (error) {
    if (!(error instanceof QuaysideError)) throw error
  }
}

async function findStoredParts(
  context: UploadContext,
  files: LocalFiles,
  state: UploadState,
  remoteFiles: RemoteFile[],
): Promise<StoredParts> {
  const stored: StoredParts = { primary: new Map(), expansion: new Map() }
  for (const { role, file } of files) {
    const saved = state.files.find((candidate) => candidate.role === role)
    const remote = remoteFiles.find((candidate) => candidate.role === role)
    if (!saved || !remote) continue
    for (const part of planPuts(saved)) {
      const etags = remoteEtags(remote, part.number, part.sizeBytes)
      if (etags.length === 0) continue
      // A stored part is reused only if it matches the local file.
      const md5 = await rangeMd5(file, part.start, part.sizeBytes, context.signal)
      if (etags.includes(md5)) stored[role].set(part.number, md5)
    }
  }
  return stored
}

/** Returns the parts of a file, each of which is sent with one PUT. */
export function planPuts(file: StateFile) {
  return file.partSizeMb === null
    ? [{ number: 0, start: 0, sizeBytes: file.sizeBytes }]
    : planParts(file.sizeBytes, file.partSizeMb)
}

function remoteEtags(remote: RemoteFile, partNumber: number, sizeBytes: number): string[] {
  if (partNumber === 0) return remote.stored && remote.etag !== null ? [unquote(remote.etag)] : []
  return remote.parts
    .filter((part) => part.part_number === partNumber && part.size_bytes === sizeBytes)
    .map((part) => unquote(part.etag))
}

function unquote(etag: string): string {
  return etag.replaceAll('"', '')
}
