import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { onceResolved } from '../lib/once.ts'
import { InspectionError, type ByteSource } from './inspection.ts'
import { maxRequestBytes, type ReadRequest, type Task } from './parent-source.ts'
import { canIsolateNetwork } from './sandbox.ts'
import { collectStart, exitOf, InspectionAborted } from './sandboxed-process.ts'

const maxOutputBytes = 16 * 1024 * 1024

type Conversation<T> = {
  sources: readonly ByteSource[]
  task: Task
  /** Returns the result in a message of the process, which is not trusted, or undefined if it is invalid. */
  resultOf: (message: object) => T | undefined
  maxServedBytes: number
  log: Logger
}

/** Returns a function that reports whether processes have no access to the network. Warns if they have. */
export const createIsolationCheck = (log: Logger): (() => Promise<boolean>) =>
  onceResolved(async () => {
    const isolatesNetwork = await canIsolateNetwork()
    if (!isolatesNetwork)
      log.warn(
        'this system does not allow files to be inspected without network access; see docs/operating.md',
      )
    return isolatesNetwork
  })

/**
 * Sends a process its task and the bytes that it requests until it reports its result. Throws `InspectionError` with the
 * reason that the process reports, and `InspectionAborted` if it ends without a result.
 */
export async function serveProcess<T>(
  child: ChildProcess,
  { sources, task, resultOf, maxServedBytes, log }: Conversation<T>,
): Promise<T> {
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
  send(Buffer.from(JSON.stringify(task)))
  let servedBytes = 0
  for await (const line of linesOf(stdout)) {
    const message = parseMessage(line)
    if ('reason' in message && typeof message.reason === 'string') throw new InspectionError(message.reason)
    if (!('read' in message)) {
      const result = resultOf(message)
      if (result === undefined) throw invalidResult()
      return result
    }
    const { source, offset, length } = requestedRange(message.read, sources)
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
function requestedRange(
  request: unknown,
  sources: readonly ByteSource[],
): { source: ByteSource; offset: number; length: number } {
  const { source: index, offset, length } = Object(request) as Partial<Record<keyof ReadRequest, unknown>>
  const source = typeof index === 'number' ? sources[index] : undefined
  const isValid =
    source !== undefined &&
    typeof offset === 'number' &&
    typeof length === 'number' &&
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length) &&
    offset >= 0 &&
    length > 0 &&
    length <= maxRequestBytes &&
    offset + length <= source.sizeBytes
  if (!isValid) throw invalidResult()
  return { source, offset, length }
}
