import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { inspectionProgram } from '../config/package-files.ts'
import { limitConcurrency } from '../lib/concurrency.ts'
import { onceResolved } from '../lib/once.ts'
import { checkedInspection } from './inspection-schema.ts'
import { emptyInspection, InspectionError, type ByteSource, type Inspection } from './inspection.ts'
import { maxRequestBytes } from './parent-source.ts'
import { recognizeFormat } from './recognize-format.ts'
import { canIsolateNetwork, type Limits, type Program } from './sandbox.ts'
import { collectStart, exitOf, InspectionAborted, withSandboxedProcess } from './sandboxed-process.ts'

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
const maxOutputBytes = 16 * 1024 * 1024
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
  const isolates = onceResolved(async () => {
    const isolatesNetwork = await canIsolateNetwork()
    if (!isolatesNetwork)
      log.warn(
        'this system does not allow files to be inspected without network access; see docs/operating.md',
      )
    return isolatesNetwork
  })
  const slots = limitConcurrency(maxProcesses)
  return {
    async inspect(source, filetype, signal) {
      if (!(await isRecognized(source, filetype))) return emptyInspection
      return slots(() => run(source, filetype, signal))
    },
  }

  async function run(source: ByteSource, filetype: string, signal: AbortSignal): Promise<Inspection> {
    const isolatesNetwork = await isolates()
    return withSandboxedProcess({ program, limits, isolatesNetwork, signal }, (child) =>
      converse(child, { source, filetype, log }),
    )
  }
}

/** Sends the process the bytes that it requests until it reports its result. */
async function converse(
  child: ChildProcess,
  { source, filetype, log }: { source: ByteSource; filetype: string; log: Logger },
): Promise<Inspection> {
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('missing pipes')
  const ended = exitOf(child)
  // Writes fail once the process has ended, which `ended` reports.
  stdin.on('error', () => {})
  const errors = collectStart(stderr)
  const send = (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    stdin.write(Buffer.concat([length, bytes]))
  }
  send(Buffer.from(JSON.stringify({ sizeBytes: source.sizeBytes, filetype })))
  let servedBytes = 0
  for await (const line of linesOf(stdout)) {
    const message = parseMessage(line)
    if ('reason' in message && typeof message.reason === 'string') throw new InspectionError(message.reason)
    if ('inspection' in message) {
      const inspection = checkedInspection(message.inspection)
      if (inspection === undefined) throw invalidResult()
      return inspection
    }
    const { offset, length } = requestedRange(message, source.sizeBytes)
    servedBytes += length
    if (servedBytes > maxServedBytes)
      throw new InspectionAborted('The inspection of the file read too much data.')
    send(await source.read(offset, length))
  }
  const { code, signal } = await ended
  log.warn({ code, signal, stderr: errors() }, 'the inspection of a file ended without a result')
  throw new InspectionAborted('The inspection of the file failed or exceeded the limits on time and memory.')
}

const invalidResult = (): InspectionAborted =>
  new InspectionAborted('The inspection of the file returned an invalid result.')

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string, void, undefined> {
  let pending: Buffer[] = []
  let totalBytes = 0
  for await (const chunk of stream) {
    let rest = chunk as Buffer
    totalBytes += rest.length
    if (totalBytes > maxOutputBytes) throw invalidResult()
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield Buffer.concat([...pending, rest.subarray(0, end)]).toString()
      pending = []
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) pending.push(rest)
  }
}

function parseMessage(line: string): object {
  try {
    const message: unknown = JSON.parse(line)
    if (typeof message === 'object' && message !== null) return message
  } catch {
    // Reported below.
  }
  throw invalidResult()
}

/** Returns the range that the process requests. The process is not trusted, so the request is validated. */
function requestedRange(message: object, sizeBytes: number): { offset: number; length: number } {
  const { offset, length } = ('read' in message ? Object(message.read) : {}) as Record<string, unknown>
  const isValid =
    typeof offset === 'number' &&
    typeof length === 'number' &&
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length) &&
    offset >= 0 &&
    length > 0 &&
    length <= maxRequestBytes &&
    offset + length <= sizeBytes
  if (!isValid) throw invalidResult()
  return { offset, length }
}
