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
