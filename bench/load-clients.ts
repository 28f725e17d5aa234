import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { killOnExit } from './service.ts'

export type HttpLoad = {
  port: number
  path: string
  key?: string
  clients: number
  seconds: number
  headers?: Record<string, string>
  /** The status that every response must have. Default: 200. */
  status?: number
}

export type UploadLoad = {
  origin: string
  key: string
  applicationId: string
  clients: number
  seconds: number
  maxCycles?: number
  /** The platform of the builds. Default: generic. */
  platform?: string
}

export type PostLoad = { url: string; body: string; clients: number; count: number }

export type SmallUploads = {
  method: string
  /** One URL for each upload. */
  urls: string[]
  headers: Record<string, string>
  bytes: number
  clients: number
}

/** Returns the number of responses that `clients` keep-alive clients receive per second. */
export const httpLoad = (load: HttpLoad): Promise<number> => runClient('http-load.client.ts', load)

/**
 * Returns the number of builds that `clients` clients create per second, each with a request, a PUT of 1 KiB and a
 * verify request.
 */
export const uploadCycles = (load: UploadLoad): Promise<number> => runClient('upload-cycles.client.ts', load)

/** Returns the number of POST requests per second that `clients` keep-alive connections send. */
export const postLoop = (load: PostLoad): Promise<number> => runClient('post-loop.client.ts', load)

/** Returns the number of uploads per second that each are a single request. */
export const smallUploads = (load: SmallUploads): Promise<number> =>
  runClient('small-uploads.client.ts', load)

/** Runs a load client in a separate process and returns the result that it prints. */
async function runClient(program: string, load: object): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  killOnExit(child)
  // A thousand URLs exceed the length that arguments may have.
  child.stdin.end(JSON.stringify(load))
  const exit = once(child, 'exit') as Promise<[number | null]>
  const [output, [exitCode]] = await Promise.all([text(child.stdout), exit])
  if (exitCode !== 0) throw new Error(`${program} exited with code ${exitCode}`)
  return Number(output)
}
