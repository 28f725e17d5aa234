import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bootstrapKey } from './running-server.ts'
import type { Service } from './running-server.ts'

const program = fileURLToPath(new URL('../bin/quayside.js', import.meta.url))

export type Result = { code: number; signal: NodeJS.Signals | null; stdout: string; stderr: string }
export type Running = { child: ChildProcess; ended: Promise<Result> }

export type RunOptions = { env?: Record<string, string>; cwd?: string; node?: string; program?: string }

/** Starts `quayside` in a clean environment with its own state folder. */
export function startQuayside(service: Service, args: string[], options: RunOptions = {}): Running {
  const child = spawn(options.node ?? process.execPath, [options.program ?? program, ...args], {
    cwd: options.cwd ?? service.folder,
    env: {
      PATH: process.env['PATH'],
      HOME: service.folder,
      XDG_STATE_HOME: `${service.folder}/state`,
      QUAYSIDE_SERVER: service.url,
      QUAYSIDE_API_KEY: bootstrapKey,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const ended = new Promise<Result>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? -1, signal, ...output }))
  })
  return { child, ended }
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
  const result = await runQuayside(service, [...args, '--json'], options)
  if (result.code !== 0) throw new Error(`quayside ${args.join(' ')}: ${result.code}\n${result.stderr}`)
  return JSON.parse(result.stdout) as Output
}
