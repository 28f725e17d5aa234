import { QuaysideError } from '@quayside/sdk'
import type { GetUploadResponse, ListUploadsResponse } from '@quayside/sdk'
import { formatVersion } from '@quayside/sdk/version'
import { fileToSend, findNewRanges } from '../compose/compose-files.ts'
import type { ByteRange } from './local-file.ts'
import { planParts } from './part-plan.ts'
import type { PlannedPart } from './part-plan.ts'
import { rangeMd5 } from './range-md5.ts'
import type { LocalFiles, UploadBody, UploadContext } from './upload-context.ts'
import { isSameFile, loadState, removeState } from './upload-state.ts'
import type { FileRole, StateFile, UploadState } from './upload-state.ts'

type RemoteUpload = GetUploadResponse['data']
type RemoteFile = RemoteUpload['files'][number]
type OpenUpload = ListUploadsResponse['data'][number]

/** ETags of the stored parts that match the local file, by role and part number (0 for the whole file). */
export type StoredParts = Record<FileRole, Map<number, string>>

/** The ranges that are sent of the files that take bytes from other builds. */
export type NewRanges = Partial<Record<FileRole, ByteRange[]>>

export type Resumable =
  | { kind: 'none' }
  | { kind: 'verified'; buildId: string }
  /** An upload by a run with the same settings on this machine. */
  | { kind: 'open'; state: UploadState; stored: StoredParts }
  /** An upload by another run, whose settings are to be replaced. */
  | { kind: 'found'; pendingUploadId: string; stored: StoredParts; newRanges: NewRanges }

const showsProgressFromBytes = 64 * 1024 * 1024

/**
 * Looks for an interrupted upload of the same files: in the state on this machine, or else on the server by file names,
 * sizes, platform, stream and version. Parts are reused only if they match the local files.
 */
export async function findResumable(
  context: UploadContext,
  body: UploadBody,
  fingerprint: string,
  files: LocalFiles,
): Promise<Resumable> {
  const state = await loadState(context.statePath)
  const own = state && (await findRemoteUpload(context, state.pendingUploadId))
  if (state && own) {
    const isSame =
      state.fingerprint === fingerprint &&
      state.files.length === files.length &&
      files.every(({ role, file }) =>
        state.files.some((saved) => saved.role === role && isSameFile(saved, file)),
      )
    if (own.state === 'verified' && own.build_id !== null && isSame)
      return { kind: 'verified', buildId: own.build_id }
    if (own.state === 'requested' || own.state === 'verifying') {
      const newRanges = newRangesOf(state)
      const stored = hasSameFiles(own, files)
        ? await findStoredParts(context, files, own, newRanges)
        : undefined
      // The earlier run may have failed because of its URL for a single PUT, so this URL is reused only if the file is
      // stored.
      const isInParts = own.files.every(({ chunked_part_size_mb }) => chunked_part_size_mb !== null)
      if (isSame && stored && (isInParts || hasParts(stored))) return { kind: 'open', state, stored }
      if (own.state === 'requested' && stored && hasParts(stored))
        return { kind: 'found', pendingUploadId: state.pendingUploadId, stored, newRanges }
      if (!isSame) {
        context.output.note('The interrupted upload cannot be resumed. Starting over.')
        await tryAbortUpload(context, state.pendingUploadId)
      }
    }
  }
  if (state) await removeState(context.statePath)
  for (const upload of await listSimilarUploads(context, body, files)) {
    const newRanges = await findComposedRanges(context, files, upload)
    if (newRanges === undefined) continue
    const stored = await findStoredParts(context, files, upload, newRanges)
    if (hasParts(stored))
      return { kind: 'found', pendingUploadId: upload.pending_upload_id, stored, newRanges }
  }
  return { kind: 'none' }
}

const newRangesOf = ({ files }: UploadState): NewRanges =>
  Object.fromEntries(
    files.flatMap(({ role, newRanges }) => (newRanges === undefined ? [] : [[role, newRanges]])),
  )

/** Returns what another run sends of its files, or undefined if these are not the local files. */
async function findComposedRanges(
  context: UploadContext,
  files: LocalFiles,
  upload: OpenUpload,
): Promise<NewRanges | undefined> {
  const found: NewRanges = {}
  for (const { role, file } of files) {
    const remote = upload.files.find((candidate) => candidate.role === role)
    // Older servers do not have the field.
    if (remote === undefined || !(remote.reused_bytes > 0) || remote.parts.length === 0) continue
    const newRanges = await findNewRanges(context, upload.pending_upload_id, role, file)
    if (newRanges === undefined) return undefined
    found[role] = newRanges
  }
  return found
}

/** Lists the unfinished uploads of the same files for the same platform, stream and version. */
async function listSimilarUploads(
  { client, signal }: UploadContext,
  body: UploadBody,
  files: LocalFiles,
): Promise<OpenUpload[]> {
  const { application_id, primary_file, platform, stream } = body
  const query = { ...(application_id === undefined ? {} : { application_id }), ...primary_file }
  const version = formatVersion({
    major: body.version_component_1_major,
    minor: body.version_component_2_minor,
    patch: body.version_component_3_patch,
    extra: body.version_component_extra ?? '',
    meta: body.version_component_meta ?? '',
  })
  try {
    const { data } = await client.listUploads(query, { signal })
    return data.filter(
      (upload) =>
        hasSameFiles(upload, files) &&
        upload.platform === platform &&
        upload.stream === stream &&
        upload.version === version,
    )
  } catch (error) {
    // Older servers do not have this endpoint.
    if (error instanceof QuaysideError && [404, 405].includes(error.status)) return []
    throw error
  }
}

/** Returns the server's record of the upload, or undefined if it has none. */
export async function findRemoteUpload(
  { client, signal }: UploadContext,
  id: string,
): Promise<RemoteUpload | undefined> {
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

export function hasSameFiles(upload: RemoteUpload, files: LocalFiles): boolean {
  return (
    upload.files.length === files.length &&
    files.every(({ role, file }) =>
      upload.files.some(
        (remote) =>
          remote.role === role && remote.filename === file.filename && remote.size_bytes === file.sizeBytes,
      ),
    )
  )
}

const hasParts = (stored: StoredParts): boolean => Object.values(stored).some(({ size }) => size > 0)

export const noParts = (): StoredParts => ({ primary: new Map(), expansion: new Map(), metadata: new Map() })

/** Finds the stored parts whose content matches the local files. */
export async function findStoredParts(
  context: UploadContext,
  files: LocalFiles,
  upload: RemoteUpload,
  newRanges: NewRanges = {},
): Promise<StoredParts> {
  const { output, agents, signal } = context
  const candidates = files.flatMap(({ role }) => {
    const remote = upload.files.find((candidate) => candidate.role === role)
    if (!remote) return []
    const file = fileToSend(files, { role, ...(newRanges[role] && { newRanges: newRanges[role] }) })
    return planPuts({ sizeBytes: file.sizeBytes, partSizeMb: remote.chunked_part_size_mb })
      .map((part) => ({ role, file, part, etags: remoteEtags(remote, part) }))
      .filter(({ etags }) => etags.length > 0)
  })
  const stored = noParts()
  const totalBytes = candidates.reduce((total, { part }) => total + part.sizeBytes, 0)
  const label = `Checking ${files[0]?.file.filename ?? 'the stored parts'}`
  const progress =
    totalBytes < showsProgressFromBytes
      ? undefined
      : output.progress({ label, totalBytes, alreadyDoneBytes: 0 })
  try {
    for (const { role, file, part, etags } of candidates) {
      const onBytes = (bytes: number) => progress?.add(bytes)
      const md5 = await rangeMd5(file, { ...part, signal, onBytes }, agents)
      if (etags.includes(md5)) stored[role].set(part.number, md5)
    }
  } finally {
    progress?.end()
  }
  return stored
}

/** Returns the parts of a file, each of which is sent with one PUT. */
export function planPuts({
  sizeBytes,
  partSizeMb,
}: Pick<StateFile, 'sizeBytes' | 'partSizeMb'>): PlannedPart[] {
  if (sizeBytes === 0) return []
  return partSizeMb === null ? [{ number: 0, start: 0, sizeBytes }] : planParts(sizeBytes, partSizeMb)
}

function remoteEtags(remote: RemoteFile, { number, sizeBytes }: PlannedPart): string[] {
  if (number === 0) return remote.stored && remote.etag !== null ? [unquote(remote.etag)] : []
  return remote.parts
    .filter((part) => part.part_number === number && part.size_bytes === sizeBytes)
    .map((part) => unquote(part.etag))
}

function unquote(etag: string): string {
  return etag.replaceAll('"', '')
}
