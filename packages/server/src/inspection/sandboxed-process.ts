import { spawn, type ChildProcess } from 'node:child_process'
import { InspectionError } from './inspection.ts'
import {
  killGroup,
  lowerPriority,
  residentBytes,
  sandboxedCommand,
  sandboxOptions,
  type Limits,
  type Program,
} from './sandbox.ts'

/** Thrown if a sandboxed process fails or exceeds a limit. Another attempt may succeed. */
export class InspectionAborted extends InspectionError {}

const memoryCheckMs = 200

type Options = { program: Program; limits: Limits; isolatesNetwork: boolean; signal: AbortSignal }

/** Starts a sandboxed process, exchanges data with it, and ends it. Throws `InspectionAborted` if it exceeds a limit. */
export async function withSandboxedProcess<T>(
  { program, limits, isolatesNetwork, signal }: Options,
  converse: (child: ChildProcess) => Promise<T>,
): Promise<T> {
  const command = sandboxedCommand(program, limits, { isolatesNetwork })
  signal.throwIfAborted()
  const child = spawn(command.program, command.args, sandboxOptions)
  lowerPriority(child)
  let exceeded: string | undefined
  const exceed = (limit: string) => {
    exceeded ??= `The inspection of the file exceeded the limit of ${limit}.`
    killGroup(child)
  }
  const memoryText = `${limits.memoryBytes / 1024 / 1024} MB of memory`
  const wallTimer = setTimeout(() => exceed(`${limits.wallSeconds} seconds`), limits.wallSeconds * 1000)
  const memoryTimer = setInterval(() => {
    void residentBytes(child).then((bytes = 0) => {
      if (bytes > limits.memoryBytes) exceed(memoryText)
    })
  }, memoryCheckMs)
  const abort = () => killGroup(child)
  signal.addEventListener('abort', abort)
  try {
    return await converse(child)
  } catch (error) {
    signal.throwIfAborted()
    throw exceeded === undefined ? error : new InspectionAborted(exceeded)
  } finally {
    signal.removeEventListener('abort', abort)
    clearTimeout(wallTimer)
    clearInterval(memoryTimer)
    killGroup(child)
  }
}

/** Returns how the process ended. */
export function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }))
    child.on('error', () => resolve({ code: null, signal: null }))
  })
}

/** Drains the stream and returns a function that returns its first characters. */
export function collectStart(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    if (text.length < 2_000) text += chunk.toString('utf8', 0, 2_000)
  })
  return () => text
}
