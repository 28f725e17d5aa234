import { execFile, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { dirname, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export type Limits = { cpuSeconds: number; wallSeconds: number; memoryBytes: number }

export type Command = { program: string; args: string[] }

const sourceFolder = fileURLToPath(new URL('..', import.meta.url))
const packageFile = fileURLToPath(new URL('../../package.json', import.meta.url))

// V8 reserves address space for machine code, which the system counts as data although most of it is never used.
const reservedBytes = 512 * 1024 * 1024
// A lower priority could leave the process without CPU time for minutes on a busy machine.
const priority = 10

/**
 * Returns the command that runs a TypeScript file of this package with the least privileges that the platform offers:
 * it reads only the source of the service, writes no file, and starts no process or thread.
 */
export function sandboxedCommand(
  entry: string,
  limits: Limits,
  { isolatesNetwork }: { isolatesNetwork: boolean },
): Command {
  const heapMb = Math.floor(limits.memoryBytes / 2 / 1024 / 1024)
  const node = [
    process.execPath,
    '--permission',
    `--allow-fs-read=${sourceFolder}`,
    `--allow-fs-read=${packageFile}`,
    `--allow-fs-read=${dirname(entry)}`,
    '--disable-warning=ExperimentalWarning',
    `--max-old-space-size=${heapMb}`,
    '--max-semi-space-size=4',
    '--v8-pool-size=1',
    entry,
  ]
  if (process.platform === 'win32') return { program: process.execPath, args: node.slice(1) }
  const isolated = isolatesNetwork ? [...unshare, ...node] : node
  const dataKb = Math.ceil((limits.memoryBytes + reservedBytes) / 1024)
  // Other systems do not limit the data size of a process, and some reject the limit.
  const memory = process.platform === 'linux' ? `ulimit -d ${dataKb};` : ''
  const script = `ulimit -c 0; ulimit -f 0; ulimit -t ${limits.cpuSeconds}; ${memory} exec env -i "$@"`
  return { program: '/bin/sh', args: ['-c', script, 'sh', ...isolated] }
}

const unshare = ['unshare', '--user', '--net', '--']

/** Returns whether the system allows unprivileged processes to create a network namespace. */
export async function canIsolateNetwork(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const [program = '', ...args] = unshare
  return promisify(execFile)(program, [...args, 'true'], { env: {}, timeout: 10_000 }).then(
    () => true,
    () => false,
  )
}

/** The options with which a sandboxed command is started: no environment, and a process group that can be killed. */
export const sandboxOptions = {
  cwd: parse(process.execPath).root,
  env: {},
  detached: true,
  windowsHide: true,
} as const

export function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // The process has already ended.
  }
}

/** Kills the process and all processes of its group. */
export function killGroup(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Returns the memory that the process uses, or undefined if the system does not report it. */
export async function residentBytes({ pid }: ChildProcess): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  const kb = status === undefined ? undefined : /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kb === undefined ? undefined : Number(kb) * 1024
}
