import type { QuaysideClient, RequestUploadParams } from '@quayside/sdk'
import type { Output } from '../output/output.ts'
import type { Agents } from './agents.ts'
import type { LocalFile } from './local-file.ts'
import type { FileRole } from './upload-state.ts'

export type UploadBody = RequestUploadParams['body']

export type UploadContext = {
  client: QuaysideClient
  /** URL of the server. */
  server: string
  output: Output
  agents: Agents
  signal: AbortSignal
  /** Maximum number of parallel PUTs. */
  parallel: number
  /** Path of the state file of this upload. */
  statePath: string
  /** Whether the server may take bytes from other builds. */
  reuse: boolean
}

export type LocalFiles = { role: FileRole; file: LocalFile }[]

/** Returns the local file with this role. Throws if there is none. */
export function requireLocalFile(files: LocalFiles, role: FileRole): LocalFile {
  const found = files.find((candidate) => candidate.role === role)
  if (!found) throw new Error(`the upload has no ${role} file`)
  return found.file
}
