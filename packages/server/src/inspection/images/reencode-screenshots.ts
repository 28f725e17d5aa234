import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { screenshotProgram } from '../../config/package-files.ts'
import { limitConcurrency } from '../../lib/concurrency.ts'
import { onceResolved } from '../../lib/once.ts'
import { canIsolateNetwork, type Limits } from '../sandbox.ts'
import { collectStart, exitOf, InspectionAborted, withSandboxedProcess } from '../sandboxed-process.ts'
import { BrokenImage } from './broken-image.ts'
import { readImage } from './image.ts'
import { readScreenshot, screenshotType, type Screenshot } from './screenshot.ts'

export type Screenshots = {
  /**
   * Decodes and encodes images in a sandboxed process. An image that cannot be decoded is undefined in the result. Throws
   * `InspectionAborted` if the process fails.
   */
  reencode(images: readonly Buffer[], signal: AbortSignal): Promise<(Screenshot | undefined)[]>
}

const limits: Limits = { cpuSeconds: 30, wallSeconds: 60, memoryBytes: 640 * 1024 * 1024 }
const maxMessageBytes = 16 * 1024 * 1024

/** Creates a function that re-encodes images, which runs one process at a time. */
export function createScreenshots({ log }: { log: Logger }): Screenshots {
  const isolates = onceResolved(canIsolateNetwork)
  const slot = limitConcurrency(1)
  return {
    async reencode(images, signal) {
      const readable = images.filter(isReadable)
      if (readable.length === 0) return images.map(() => undefined)
      const program = { entry: screenshotProgram, reads: [] }
      const isolatesNetwork = await isolates()
      const results = await slot(() =>
        withSandboxedProcess({ program, limits, isolatesNetwork, signal }, (child) =>
          converse(child, readable, log),
        ),
      )
      return images.map((image) => results[readable.indexOf(image)])
    },
  }
}

function isReadable(image: Buffer): boolean {
  try {
    readScreenshot(image)
    return true
  } catch (error) {
    if (error instanceof BrokenImage) return false
    throw error
  }
}

async function converse(
  child: ChildProcess,
  images: readonly Buffer[],
  log: Logger,
): Promise<(Screenshot | undefined)[]> {
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('missing pipes')
  const ended = exitOf(child)
  // Writes fail once the process has ended, which `ended` reports.
  stdin.on('error', () => {})
  const errors = collectStart(stderr)
  for (const message of [Buffer.from([images.length]), ...images]) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(message.length)
    stdin.write(length)
    stdin.write(message)
  }
  const results: (Screenshot | undefined)[] = []
  let header: Buffer | undefined
  for await (const message of messagesOf(stdout)) {
    if (header === undefined) header = message
    else {
      results.push(checkedScreenshot(header, message))
      header = undefined
    }
    if (results.length === images.length) return results
  }
  log.warn({ ...(await ended), stderr: errors() }, 'the process that encodes images ended without a result')
  throw new InspectionAborted('The images could not be encoded within the limits on time and memory.')
}

async function* messagesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer, void, undefined> {
  let pending = Buffer.alloc(0)
  for await (const chunk of stream) {
    pending = Buffer.concat([pending, chunk as Buffer])
    while (pending.length >= 4) {
      const end = 4 + pending.readUInt32BE()
      if (end > maxMessageBytes) throw invalidResult()
      if (pending.length < end) break
      yield pending.subarray(4, end)
      pending = pending.subarray(end)
    }
  }
}

/** Returns the result for an image. The process is not trusted, so the result must be an image of the expected type. */
function checkedScreenshot(header: Buffer, bytes: Buffer): Screenshot | undefined {
  if (header.toString() === 'null') return undefined
  try {
    const image = readImage(bytes)
    if (image?.type !== screenshotType) throw invalidResult()
    return { width: image.width, height: image.height, bytes: Buffer.from(bytes) }
  } catch (error) {
    throw error instanceof BrokenImage ? invalidResult() : error
  }
}

const invalidResult = (): InspectionAborted =>
  new InspectionAborted('The process that encodes images returned an invalid result.')
