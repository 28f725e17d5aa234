import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { inspectionProgram } from '../config/package-files.ts'
import { limitConcurrency } from '../lib/concurrency.ts'
import { checkedInspection } from './inspection-schema.ts'
import { emptyInspection, type ByteSource, type Inspection } from './inspection.ts'
import type { Task } from './parent-source.ts'
import { recognizeFormat } from './recognize-format.ts'
import type { Limits, Program } from './sandbox.ts'
import { withSandboxedProcess } from './sandboxed-process.ts'
import { createIsolationCheck, serveProcess } from './serve-process.ts'

/** The first message to the process. */
export type InspectionTask = Task & { filetype: string }

export type Inspector = {
  /**
   * Inspects a file in a sandboxed process. Throws `InspectionError` if the file cannot be read, `InspectionAborted` if
   * the process fails, and the error of the source if the source fails.
   */
  inspect(source: ByteSource, filetype: string, signal: AbortSignal): Promise<Inspection>
}

type Options = {
  log: Logger
  program?: Program
  limits?: Limits
  /** Returns whether a file may contain metadata. Other files are not inspected. */
  isRecognized?: (source: ByteSource, filetype: string) => Promise<boolean>
}

/** Starting a process takes longer than reading the first bytes of a file, and most files are in an unknown format. */
const hasReader = async (source: ByteSource, filetype: string): Promise<boolean> =>
  (await recognizeFormat(source, filetype)) !== undefined

const defaultLimits: Limits = { cpuSeconds: 25, wallSeconds: 60, memoryBytes: 512 * 1024 * 1024 }
/** An APK of 4 GB is read once for its signature and once for the signature of older versions of Android. */
const maxServedBytes = 16 * 1024 * 1024 * 1024
// Leaves at least half of the cores to requests if there are several.
const maxProcesses = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)))

/** Creates an inspector, which starts a new process for each file and runs up to two processes at a time. */
export function createInspector({
  log,
  program = { entry: inspectionProgram, reads: [] },
  limits = defaultLimits,
  isRecognized = hasReader,
}: Options): Inspector {
  const isolates = createIsolationCheck(log)
  const slots = limitConcurrency(maxProcesses)
  return {
    async inspect(source, filetype, signal) {
      if (!(await isRecognized(source, filetype))) return emptyInspection
      return slots(() => run(source, filetype, signal))
    },
  }

  async function run(source: ByteSource, filetype: string, signal: AbortSignal): Promise<Inspection> {
    const isolatesNetwork = await isolates()
    const task: InspectionTask = { sourceBytes: [source.sizeBytes], filetype }
    const resultOf = (message: object) =>
      'inspection' in message ? checkedInspection(message.inspection) : undefined
    return withSandboxedProcess({ program, limits, isolatesNetwork, signal }, (child) =>
      serveProcess(child, { sources: [source], task, resultOf, maxServedBytes, log }),
    )
  }
}
