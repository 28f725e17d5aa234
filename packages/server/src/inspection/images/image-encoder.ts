import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { imagesProgram } from '../../config/package-files.ts'
import { limitConcurrency } from '../../lib/concurrency.ts'
import { onceResolved } from '../../lib/once.ts'
import { canIsolateNetwork, type Limits } from '../sandbox.ts'
import { collectStart, exitOf, InspectionAborted, withSandboxedProcess } from '../sandboxed-process.ts'
import { BrokenImage } from './broken-image.ts'
import { readImage, type ImageType } from './image.ts'
import { readScreenshot, screenshotType, type Screenshot } from './screenshot.ts'

/** The first message to the process: how many screenshots follow, or the sides of the squares made of the image that follows. */
export type ImageTask = { screenshots: number } | { squares: readonly number[] }

/** An image whose bytes never change. */
type KeyedImage = { key: string; read: () => Promise<Buffer | undefined> }
type Squares = Buffer[] | undefined

export type ImageEncoder = {
  /**
   * Decodes and encodes images in a sandboxed process. An image that cannot be decoded is undefined in the result. Throws
   * `InspectionAborted` if the process fails.
   */
  reencodeScreenshots(images: readonly Buffer[], signal: AbortSignal): Promise<(Screenshot | undefined)[]>
  /**
   * Returns an image as PNG images of exactly `side` × `side` pixels, one for each of `sides`, or undefined if it cannot be
   * decoded. The results for the images that were scaled last are kept. Throws `InspectionAborted` if the process fails.
   */
  scaleToSquares(image: KeyedImage, sides: readonly number[]): Promise<Squares>
}

const limits: Limits = { cpuSeconds: 30, wallSeconds: 60, memoryBytes: 640 * 1024 * 1024 }
const maxScaleMs = 60_000
/** A square of 512 pixels has at most a megabyte. */
const maxKeptImages = 64
const maxMessageBytes = 16 * 1024 * 1024

/** Creates the functions that encode images. Each runs one process at a time. */
export function createImageEncoder({ log }: { log: Logger }): ImageEncoder {
  const isolates = onceResolved(canIsolateNetwork)
  const slots = { screenshots: limitConcurrency(1), squares: limitConcurrency(1) }
  async function run(conversation: Omit<Conversation, 'log'>, signal: AbortSignal) {
    const program = { entry: imagesProgram, reads: [] }
    const isolatesNetwork = await isolates()
    return withSandboxedProcess({ program, limits, isolatesNetwork, signal }, (child) =>
      converse(child, { ...conversation, log }),
    )
  }
  async function scale(image: Buffer | undefined, sides: readonly number[]): Promise<Squares> {
    if (image === undefined || !isReadable(image)) return undefined
    const expected = { count: sides.length, type: 'image/png' } as const
    const conversation = { task: { squares: sides }, images: [image], expected }
    const results = await slots.squares(() => run(conversation, AbortSignal.timeout(maxScaleMs)))
    const squares = results.filter((square) => square !== undefined)
    if (squares.length < sides.length) return undefined
    const isExact = ({ width, height }: Screenshot, index: number) =>
      width === height && width === sides[index]
    if (!squares.every(isExact)) throw invalidResult()
    return squares.map(({ bytes }) => bytes)
  }
  return {
    scaleToSquares: keepResults(async ({ read }, sides) => scale(await read(), sides)),
    async reencodeScreenshots(images, signal) {
      const readable = images.filter(isReadable)
      if (readable.length === 0) return images.map(() => undefined)
      const task = { screenshots: readable.length }
      const expected = { count: readable.length, type: screenshotType } as const
      const results = await slots.screenshots(() => run({ task, images: readable, expected }, signal))
      return images.map((image) => results[readable.indexOf(image)])
    },
  }
}

type Scale = ImageEncoder['scaleToSquares']

/** A device requests two sizes, and several people install a new build at the same time, so results are kept as promises. */
function keepResults(scale: Scale): Scale {
  const kept = new Map<string, Promise<Squares>>()
  return (image, sides) => {
    const key = `${sides.join()} ${image.key}`
    const found = kept.get(key)
    if (found !== undefined) return found
    const result = scale(image, sides)
    kept.set(key, result)
    result.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > maxKeptImages && oldest !== undefined) kept.delete(oldest)
    return result
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

type Conversation = {
  task: ImageTask
  images: readonly Buffer[]
  expected: { count: number; type: ImageType }
  log: Logger
}

async function converse(
  child: ChildProcess,
  { task, images, expected, log }: Conversation,
): Promise<(Screenshot | undefined)[]> {
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('missing pipes')
  const ended = exitOf(child)
  // Writes fail once the process has ended, which `ended` reports.
  stdin.on('error', () => {})
  const errors = collectStart(stderr)
  for (const message of [Buffer.from(JSON.stringify(task)), ...images]) {
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
      results.push(checkedImage(header, message, expected.type))
      header = undefined
    }
    if (results.length === expected.count) return results
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
function checkedImage(header: Buffer, bytes: Buffer, type: ImageType): Screenshot | undefined {
  if (header.toString() === 'null') return undefined
  try {
    const image = readImage(bytes)
    if (image?.type !== type) throw invalidResult()
    return { width: image.width, height: image.height, bytes: Buffer.from(bytes) }
  } catch (error) {
    throw error instanceof BrokenImage ? invalidResult() : error
  }
}

const invalidResult = (): InspectionAborted =>
  new InspectionAborted('The process that encodes images returned an invalid result.')
