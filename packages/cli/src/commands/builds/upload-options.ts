import type { NotesOptions } from '../../notes.ts'
import type { BuildOptions } from './build-upload-request.ts'
import type { TargetOptions } from './upload-target.ts'
import type { WaitOptions } from './wait-for-processing.ts'

export type UploadOptions = BuildOptions &
  NotesOptions &
  TargetOptions &
  WaitOptions & {
    ifChanged?: boolean
    dryRun?: boolean
    keepTimes?: boolean
    expansion?: string
    writeEnv?: string
    metadata?: string[]
    parallel: number
    /** False if `--no-reuse` is set. */
    reuse: boolean
    /** Duration in seconds. */
    retryFor?: number
  }
