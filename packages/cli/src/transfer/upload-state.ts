import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Env } from '../ci/ci-metadata.ts'
import { writePrivateFile } from '../files/private-file.ts'
import { userFolder } from '../files/user-folder.ts'
import type { ByteRange, LocalFile } from './local-file.ts'
import type { SignedTarget } from './send-range.ts'

export type FileRole = 'primary' | 'expansion' | 'metadata'

/** A file of an unfinished upload: its local attributes and how to send it. */
export type StateFile = {
  role: FileRole
  path: string
  sizeBytes: number
  revision: string
  /** Part size in MiB, or null for a single PUT to `target`. */
  partSizeMb: number | null
  target: SignedTarget | null
  /** The ranges that are sent if the server takes the others from other builds. */
  newRanges?: ByteRange[]
  /** Whether some of the others were found by the checksums of pieces. */
  hasPieces?: boolean
}

/** The state from which a later run resumes an interrupted upload. */
export type UploadState = {
  pendingUploadId: string
  /**
   * Hash of the upload request. A request with different settings must start a new upload, because it creates a
   * different build.
   */
  fingerprint: string
  files: StateFile[]
}

/** Returns the folder for upload state in XDG_STATE_HOME, %LOCALAPPDATA% or ~/.local/state. */
export const stateFolder = (env: Env): string => join(userFolder(env, 'state'), 'uploads')

/** Returns the path of the state file. There is one per server, application and uploaded file. */
export function statePath(folder: string, server: string, applicationId: string, filePath: string): string {
  return join(folder, `${sha256(JSON.stringify([server, applicationId, filePath])).slice(0, 32)}.json`)
}

/** Returns the path of the state file for a metadata artifact that is uploaded together with a build. */
export function artifactStatePath(buildStatePath: string, buildId: string, filePath: string): string {
  const name = sha256(JSON.stringify([buildStatePath, buildId, filePath])).slice(0, 32)
  return join(dirname(buildStatePath), `${name}.json`)
}

/** Returns a hash that is the same for all requests for one build. Ignores the CI duration, which varies by run. */
export function requestFingerprint(body: Record<string, unknown>): string {
  const entries = Object.entries(body).filter(([name]) => name !== 'ci_build_duration')
  return sha256(JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/** Returns the saved state, or undefined if there is none or it cannot be read. */
export async function loadState(path: string): Promise<UploadState | undefined> {
  try {
    const state = JSON.parse(await readFile(path, 'utf8')) as UploadState
    return typeof state.pendingUploadId === 'string' && Array.isArray(state.files) ? state : undefined
  } catch {
    return undefined
  }
}

/** Replaces the state atomically. Only the user can read it because it contains signed URLs. */
export const saveState = (path: string, state: UploadState): Promise<void> =>
  writePrivateFile(path, JSON.stringify(state))

export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true })
}

/** Returns whether the saved and local files have the same path, size and revision. */
export function isSameFile(saved: StateFile, file: LocalFile): boolean {
  return saved.path === file.path && saved.sizeBytes === file.sizeBytes && saved.revision === file.revision
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
