import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bootstrapKey } from './running-server.ts'
import type { Service } from './running-server.ts'

export const program = fileURLToPath(new URL('../bin/quayside.js', import.meta.url))

/**
 * Folder of the compile cache that all runs of `quayside` share. Without it, every run in a new home folder compiles
 * the whole program, which takes three quarters of its CPU time.
 */
export const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/cli', import.meta.url))

export type Result = {
  code: number
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}
export type Running = { child: ChildProcess; ended: Promise<Result> }

export type RunOptions = {
  env?: Record<string, string>
  cwd?: string
  node?: string
  program?: string
  /** Text on standard input, which is empty by default. */
  input?: string
}

/** Starts `quayside` in a clean environment with its own state folder. */
export function startQuayside(service: Service, args: string[], options: RunOptions = {}): Running {
  const child = spawn(options.node ?? process.execPath, [options.program ?? program, ...args], {
    cwd: options.cwd ?? service.folder,
    env: environmentOf(service, options.env),
    stdio: 'pipe',
  })
  // A command that does not read its input may exit before the input is written.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const ended = new Promise<Result>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? -1, signal, ...output }))
  })
  return { child, ended }
}

/** Runs `quayside` until the server has received so many bytes, and kills it. */
export async function killAfter(
  service: Service,
  bytes: number,
  args: string[],
  options?: RunOptions,
): Promise<Result> {
  const reached = service.gate.holdAfter(bytes)
  const { child, ended } = startQuayside(service, args, options)
  await reached
  child.kill('SIGKILL')
  const result = await ended
  service.gate.release()
  return result
}

export function runQuayside(service: Service, args: string[], options?: RunOptions): Promise<Result> {
  return startQuayside(service, args, options).ended
}

/** Runs a command with `--json` and returns the parsed result. Throws an error with stderr if the command fails. */
export async function runJson<Output>(
  service: Service,
  args: string[],
  options?: RunOptions,
): Promise<Output> {
  return parseResult(args, await runQuayside(service, [...args, '--json'], options)) as Output
}

/** Returns the environment in which `quayside` runs by default. */
export const environmentOf = (service: Service, env: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  HOME: service.folder,
  XDG_STATE_HOME: `${service.folder}/state`,
  XDG_CACHE_HOME: cacheFolder,
  QUAYSIDE_SERVER: service.url,
  QUAYSIDE_API_KEY: bootstrapKey,
  ...env,
})

/** Returns the parsed output of a command. Throws an error with stderr if the command failed. */
export function parseResult(args: string[], { code, stdout, stderr }: Result): unknown {
  if (code !== 0) throw new Error(`quayside ${args.join(' ')}: ${code}\n${stderr}`)
  return JSON.parse(stdout)
}
