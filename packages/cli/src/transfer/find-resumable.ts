import { QuaysideError } from '@quayside/sdk'
import type { GetUploadAnswer } from '@quayside/sdk'
import { planParts } from './part-plan.ts'
import { rangeMd5 } from './range-md5.ts'
import type { LocalFiles, UploadContext } from './upload-context.ts'
import { isSameFile, loadState, removeState } from './upload-state.ts'
import type { FileRole, StateFile, UploadState } from './upload-state.ts'

type RemoteFile = GetUploadAnswer['data']['files'][number]

/** ETags of the parts that are stored and hold the local bytes, by role and part number (0 = whole file). */
export type StoredParts = Record<FileRole, Map<number, string>>

export type Resumable =
  | { kind: 'none' }
  | { kind: 'verified'; buildId: string }
  | { kind: 'open'; state: UploadState; stored: StoredParts }

/** Looks for an earlier run of the same upload. What cannot be gone on with is aborted and forgotten. */
export async function findResumable(
  context: UploadContext,
  fingerprint: string,
  files: LocalFiles,
): Promise<Resumable> {
  const state = await loadState(context.statePath)
  if (!state) return { kind: 'none' }
  const found = await remoteUpload(context, state.pendingUploadId)
  const isSame =
    state.files.length === files.length &&
    files.every(({ role, file }) =>
      state.files.some((saved) => saved.role === role && isSameFile(saved, file)),
    )
  if (found?.state === 'verified' && found.build_id !== null && isSame && state.fingerprint === fingerprint) {
    return { kind: 'verified', buildId: found.build_id }
  }
  const isOpen = found?.state === 'requested' || found?.state === 'verifying'
  if (isOpen && isSame && state.fingerprint === fingerprint) {
    return { kind: 'open', state, stored: await storedParts(context, files, state, found.files) }
  }
  if (isOpen) {
    const changed = isSame ? 'the settings are not' : 'the file is not'
    context.output.note(`An earlier upload was broken off, but ${changed} the same any more: starting over.`)
    await abortQuietly(context, state.pendingUploadId)
  }
  await removeState(context.statePath)
  return { kind: 'none' }
}

/** What the service knows of an upload; undefined when it knows nothing. */
export async function remoteUpload(
  { client, signal }: UploadContext,
  id: string,
): Promise<GetUploadAnswer['data'] | undefined> {
  try {
    return (await client.getUpload({ pending_upload_id: id }, { signal })).data
  } catch (error) {
    if (error instanceof QuaysideError && [400, 404, 410, 422].includes(error.status)) return undefined
    throw error
  }
}

/** Gives an upload up; that it is gone already is fine too. */
export async function abortQuietly({ client }: UploadContext, id: string): Promise<void> {
  try {
    await client.abortUpload({ body: { pending_upload_id: id } }, { repeatable: true })
  } catch (error) {
    if (!(error instanceof QuaysideError)) throw error
  }
}

async function storedParts(
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
    for (const part of plannedParts(saved)) {
      const etags = remoteEtags(remote, part.number, part.sizeBytes)
      if (etags.length === 0) continue
      // The stored bytes are trusted only as far as they are the bytes of the local file.
      const md5 = await rangeMd5(file, part.start, part.sizeBytes, context.signal)
      if (etags.includes(md5)) stored[role].set(part.number, md5)
    }
  }
  return stored
}

/** The PUTs a file takes. */
export function plannedParts(file: StateFile) {
  return file.partSizeMb === null
    ? [{ number: 0, start: 0, sizeBytes: file.sizeBytes }]
    : planParts(file.sizeBytes, file.partSizeMb)
}

function remoteEtags(remote: RemoteFile, partNumber: number, sizeBytes: number): string[] {
  if (partNumber === 0) return remote.stored && remote.etag !== null ? [unquoted(remote.etag)] : []
  return remote.parts
    .filter((part) => part.part_number === partNumber && part.size_bytes === sizeBytes)
    .map((part) => unquoted(part.etag))
}

function unquoted(etag: string): string {
  return etag.replaceAll('"', '')
}
