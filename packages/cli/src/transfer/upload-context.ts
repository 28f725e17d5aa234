import type { QuaysideClient, RequestUploadParams } from '@quayside/sdk'
import type { Output } from '../output/output.ts'
import type { LocalFile } from './local-file.ts'
import type { Agents } from './put-range.ts'
import type { FileRole } from './upload-state.ts'

export type UploadBody = RequestUploadParams['body']

/** What an upload works with. */
export type UploadContext = {
  client: QuaysideClient
  output: Output
  agents: Agents
  signal: AbortSignal
  /** PUTs at a time. */
  parallel: number
  /** Where the state of this upload is kept. */
  statePath: string
}

export type LocalFiles = { role: FileRole; file: LocalFile }[]

/** The local file of a role that is known to be there. */
export function fileOf(files: LocalFiles, role: FileRole): LocalFile {
  const found = files.find((candidate) => candidate.role === role)
  if (!found) throw new Error(`this upload has no ${role} file`)
  return found.file
}
