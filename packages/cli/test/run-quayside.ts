import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { bootstrapKey, quaysideProgram } from './running-server.ts'
import type { Service } from './running-server.ts'

export type Ended = { code: number; signal: NodeJS.Signals | null; stdout: string; stderr: string }
export type Running = { child: ChildProcess; ended: Promise<Ended> }

export type RunOptions = { env?: Record<string, string>; cwd?: string; node?: string }

/** Starts `quayside` against a service, in a clean environment with a state folder of the test's own. */
export function startQuayside(service: Service, arguments_: string[], options: RunOptions = {}): Running {
  const child = spawn(options.node ?? process.execPath, [quaysideProgram, ...arguments_], {
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
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? -1, signal, ...texts }))
  })
  return { child, ended }
}

export function runQuayside(service: Service, arguments_: string[], options?: RunOptions): Promise<Ended> {
  return startQuayside(service, arguments_, options).ended
}

/** Runs with `--json` and gives the result; throws with what was said on stderr. */
export async function jsonOf<Result>(
  service: Service,
  arguments_: string[],
  options?: RunOptions,
): Promise<Result> {
  const ended = await runQuayside(service, [...arguments_, '--json'], options)
  if (ended.code !== 0) throw new Error(`quayside ${arguments_.join(' ')}: ${ended.code}\n${ended.stderr}`)
  return JSON.parse(ended.stdout) as Result
}
