import type { Logger } from 'pino'
import { patchingProgram } from '../../config/package-files.ts'
import type { Limits } from '../sandbox.ts'
import { withSandboxedProcess } from '../sandboxed-process.ts'
import { createIsolationCheck, serveProcess } from '../serve-process.ts'
import type { Patching, PatchingTask } from './patching-task.ts'

export type Patcher = {
  /**
   * Creates a patch in a sandboxed process, which also applies it. Returns false if chunks of the old file save as much.
   * Throws `InspectionAborted` if the process fails or exceeds a limit.
   */
  createPatch(patching: Patching, signal: AbortSignal): Promise<boolean>
}

type Options = { log: Logger; limits?: Limits }

const maxFileBytes = 4 * 1024 ** 3
const defaultLimits: Limits = {
  cpuSeconds: 30 * 60,
  wallSeconds: 60 * 60,
  memoryBytes: 1024 ** 3,
  fileBytes: maxFileBytes,
}

/** Creates a patcher, which starts a new process for each patch. */
export function createPatcher({ log, limits = defaultLimits }: Options): Patcher {
  const isolates = createIsolationCheck(log)
  return {
    async createPatch(patching, signal) {
      const { folder } = patching
      const program = { entry: patchingProgram, reads: [folder], writes: [folder] }
      const isolatesNetwork = await isolates()
      const task: PatchingTask = {
        ...patching,
        sourceBytes: [],
        maxContentBytes: limits.fileBytes ?? maxFileBytes,
      }
      const resultOf = (message: object) =>
        'isCreated' in message && typeof message.isCreated === 'boolean' ? message.isCreated : undefined
      return withSandboxedProcess({ program, limits, isolatesNetwork, signal }, (child) =>
        serveProcess(child, { sources: [], task, resultOf, maxServedBytes: 0, log }),
      )
    },
  }
}
