import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { firstText } from '../ci/ci-facts.ts'
import type { Env } from '../ci/ci-facts.ts'
import type { LocalFile } from './local-file.ts'
import type { SignedTarget } from './send-range.ts'

export type FileRole = 'primary' | 'expansion'

/** One file of an unfinished upload: which local bytes, and how the service wants them. */
export type StateFile = {
  role: FileRole
  path: string
  sizeBytes: number
  mtimeNs: string
  /** Part size in MiB; null = one PUT to `target`. */
  partSizeMb: number | null
  target: SignedTarget | null
}

/** What the next run needs to go on with an upload that was broken off. */
export type UploadState = {
  pendingUploadId: string
  /** Of the upload request: other settings make another build. */
  fingerprint: string
  files: StateFile[]
}

/** The user's folder for state: XDG_STATE_HOME, %LOCALAPPDATA% or ~/.local/state. */
export function stateFolder(env: Env): string {
  const home = firstText(env['HOME']) ?? homedir()
  const base = firstText(env['XDG_STATE_HOME'], env['LOCALAPPDATA']) ?? join(home, '.local', 'state')
  return join(base, 'quayside', 'uploads')
}

/** One state per server, application and file. */
export function statePath(folder: string, server: string, applicationId: string, filePath: string): string {
  return join(folder, `${sha256(JSON.stringify([server, applicationId, filePath])).slice(0, 32)}.json`)
}

/** Tells whether two upload requests make the same build; how long the pipeline has run does not matter. */
export function requestFingerprint(body: Record<string, unknown>): string {
  const entries = Object.entries(body).filter(([name]) => name !== 'ci_build_duration')
  return sha256(JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

export async function loadState(path: string): Promise<UploadState | undefined> {
  try {
    const state = JSON.parse(await readFile(path, 'utf8')) as UploadState
    return typeof state.pendingUploadId === 'string' && Array.isArray(state.files) ? state : undefined
  } catch {
    return undefined
  }
}

/** Replaces the state in one step; signed URLs are in it, so nobody else may read it. */
export async function saveState(path: string, state: UploadState): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const scratch = `${path}.${randomUUID()}`
  try {
    await writeFile(scratch, JSON.stringify(state), { mode: 0o600, flush: true })
    await rename(scratch, path)
  } catch (error) {
    await rm(scratch, { force: true })
    throw error
  }
}

export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true })
}

/** Whether the local file is, by size and time of change, the one the state speaks of. */
export function isSameFile(saved: StateFile, file: LocalFile): boolean {
  return saved.path === file.path && saved.sizeBytes === file.sizeBytes && saved.mtimeNs === file.mtimeNs
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
