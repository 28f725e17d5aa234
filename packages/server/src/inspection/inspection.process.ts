import { bufferSource } from './bytes.ts'
import { inspectFile } from './inspect-file.ts'
import { InspectionError } from './inspection.ts'
import { openParent } from './parent-source.ts'
import { restrictProcess } from './restrict-process.ts'
import type { InspectionTask } from './run-inspection.ts'

// Inspects one file in a sandboxed process. run-inspection.ts starts the process and sends it the bytes that it
// requests.

/** Leaves time to read the metadata after a signature, within the limits of run-inspection.ts. */
const [maxCpuSeconds, maxWallSeconds] = [15, 35]

const mayContinue = (): boolean => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 < maxCpuSeconds && process.uptime() < maxWallSeconds
}

restrictProcess()
const parent = openParent()
const { task, sources } = parent.receiveTask()
try {
  const [source = bufferSource(Buffer.alloc(0))] = sources
  parent.send({ inspection: await inspectFile(source, (task as InspectionTask).filetype, { mayContinue }) })
} catch (error) {
  if (!(error instanceof InspectionError)) throw error
  parent.send({ reason: error.reason })
}
