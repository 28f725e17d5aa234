import { inspectFile } from './inspect-file.ts'
import { InspectionError } from './inspection.ts'
import { openParent } from './parent-source.ts'
import { restrictProcess } from './restrict-process.ts'

// Inspects one file in a sandboxed process. run-inspection.ts starts the process and sends it the bytes that it
// requests.

restrictProcess()
const parent = openParent()
const { source, filetype } = parent.receiveTask()
try {
  parent.send({ inspection: await inspectFile(source, filetype) })
} catch (error) {
  if (!(error instanceof InspectionError)) throw error
  parent.send({ reason: error.reason })
}
