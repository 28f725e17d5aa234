import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../packages/server/test/acceptance/free-port.ts'
import type { MemoryLimit } from './memory-limit.ts'

// These options are the same as in `npm start`. BENCH_NODE_OPTIONS adds others, such as `--cpu-prof`.
const serverOptions = [
  '--max-semi-space-size=4',
  '--max-old-space-size=1024',
  ...(process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []),
]
export const bootstrapKey = 'the-bootstrap-key-of-the-benchmarks'
const json = { 'content-type': 'application/json' }

/** A running service, as JSON in BENCH_SERVICE. Benchmarks that need no other settings use it instead of their own. */
export type SharedService = {
  folder: string
  port: number
  pid: number
  settings: Record<string, string>
}

export type Service = Awaited<ReturnType<typeof startService>>

/**
 * Starts the service as `npm start` does, but without rate limits. Uses a temporary folder unless `keptFolder` is set.
 * That folder is kept for the next run. With `memory`, the service and its embedded database run within that limit.
 */
export async function startService(
  settings: Record<string, string> = {},
  keptFolder?: string,
  memory?: MemoryLimit,
) {
  const shared = findSharedService(settings)
  if (shared !== undefined && memory === undefined)
    return { ...serviceAt(shared), startMs: { listening: 0, ready: 0 }, stop: () => Promise.resolve() }
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), 'quayside-bench-')))
  const port = Number(settings['QUAYSIDE_PORT'] ?? (await freePort()))
  const url = settings['QUAYSIDE_PUBLIC_URL'] ?? `http://127.0.0.1:${port}`
  const program = join(import.meta.dirname, '../packages/server/bin/quayside-server.js')
  const command = [process.execPath, ...serverOptions, program]
  const [file = '', ...args] = memory?.wrap(command) ?? command
  const server = spawn(file, args, {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_PORT: String(port),
      QUAYSIDE_PUBLIC_URL: url,
      QUAYSIDE_BOOTSTRAP_KEY: bootstrapKey,
      QUAYSIDE_RATE_LIMIT: '0',
      QUAYSIDE_DOWNLOAD_RATE_LIMIT: '0',
      QUAYSIDE_LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  killOnExit(server)
  const beginMs = performance.now()
  const becomes = async (path: string): Promise<number> => {
    while ((await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined))?.status !== 200) {
      if (server.exitCode !== null) throw new Error(`the service exited with code ${server.exitCode}`)
      await pause(10)
    }
    return performance.now() - beginMs
  }
  /** The milliseconds from process start until the service listens and until it is ready. */
  const startMs = { listening: await becomes('/livez'), ready: await becomes('/readyz') }
  return {
    ...serviceAt({ folder, port, pid: server.pid ?? 0 }),
    startMs,
    async stop(): Promise<void> {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
      if (keptFolder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

function findSharedService(settings: Record<string, string>): SharedService | undefined {
  const json = process.env['BENCH_SERVICE']
  if (json === undefined) return undefined
  const shared = JSON.parse(json) as SharedService
  const isSuitable = Object.entries(settings).every(([name, value]) => shared.settings[name] === value)
  return isSuitable ? shared : undefined
}

function serviceAt({ folder, port, pid }: Pick<SharedService, 'folder' | 'port' | 'pid'>) {
  const origin = `http://127.0.0.1:${port}`
  return {
    folder,
    port,
    origin,
    key: bootstrapKey,
    pid,
    /** Calls the API and returns the response body. Throws unless the status is 2xx. */
    async api<T>(method: string, path: string, body?: unknown): Promise<T> {
      const response = await fetch(`${origin}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${bootstrapKey}`, ...(body !== undefined && json) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as T
    },
    /** Returns the peak resident memory of the server process, without its database. */
    async peakMemoryMb(): Promise<number> {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
    },
  }
}

/** Kills the child when the benchmark exits, so that a failure leaves no process running. */
export function killOnExit(child: ChildProcess): void {
  const kill = () => child.kill()
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

const ticksPerSecond = 100

/** Returns the CPU seconds that the processes have used. A process that has exited counts as zero. */
export async function cpuSeconds(pids: number[]): Promise<number> {
  const usage = await Promise.all(pids.map(readCpuSeconds))
  return usage.reduce((sum, seconds) => sum + seconds, 0)
}

async function readCpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The process name may contain any character, so fields are counted from the last parenthesis. Fields 14 and 15 are
  // user and system time; see proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond
}
