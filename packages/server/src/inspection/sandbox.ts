import { execFile, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { parse } from 'node:path'
import { promisify } from 'node:util'

export type Limits = {
  cpuSeconds: number
  wallSeconds: number
  memoryBytes: number
  /** The size of each file that the program writes; 0 by default. */
  fileBytes?: number
}

export type Program = {
  /** The path of the main module. */
  entry: string
  /** Other files and folders that the program reads, such as modules that it imports. */
  reads: readonly string[]
  /** Folders in which the program writes files. */
  writes?: readonly string[]
  args?: readonly string[]
}

export type Command = { program: string; args: string[] }

// V8 reserves address space for machine code, which the system counts as data although most of it is never used.
const reservedBytes = 512 * 1024 * 1024
// A lower priority could leave the process without CPU time for minutes on a busy machine.
const priority = 10

/**
 * Returns the command that runs a program with the least privileges that the platform offers. The process can read only
 * the files of the program, write only to its folders, and cannot start processes or threads.
 */
export function sandboxedCommand(
  { entry, reads, writes = [], args = [] }: Program,
  limits: Limits,
  { isolatesNetwork }: { isolatesNetwork: boolean },
): Command {
  const heapMb = Math.floor(limits.memoryBytes / 2 / 1024 / 1024)
  const node = [
    process.execPath,
    '--permission',
    ...[entry, ...reads].map((path) => `--allow-fs-read=${path}`),
    ...writes.map((path) => `--allow-fs-write=${path}`),
    // SQLite opens files itself, past the permission model.
    '--no-experimental-sqlite',
    // Flags of V8 that can be set later name files that V8 itself opens, such as traces of its compiler.
    '--freeze-flags-after-init',
    '--disable-warning=ExperimentalWarning',
    `--max-old-space-size=${heapMb}`,
    '--max-semi-space-size=4',
    '--v8-pool-size=1',
    entry,
    ...args,
  ]
  if (process.platform === 'win32') return { program: process.execPath, args: node.slice(1) }
  const { cpuSeconds, memoryBytes, fileBytes = 0 } = limits
  const bounds = { cpuSeconds, fileBytes, dataBytes: memoryBytes + reservedBytes }
  return limitedCommand(['env', '-i', ...(isolatesNetwork ? unshare : []), ...node], bounds)
}

/** Returns a command that runs another command with limits on its CPU time, the size of its files and its memory. */
export function limitedCommand(
  command: readonly string[],
  { cpuSeconds, fileBytes, dataBytes }: { cpuSeconds: number; fileBytes: number; dataBytes?: number },
): Command {
  const limits = [`ulimit -c 0`, `ulimit -t ${cpuSeconds}`, `ulimit -f ${Math.ceil(fileBytes / 512)}`]
  // Other systems do not limit the data size of a process, and some reject the limit.
  if (dataBytes !== undefined && process.platform === 'linux')
    limits.push(`ulimit -d ${Math.ceil(dataBytes / 1024)}`)
  return { program: '/bin/sh', args: ['-c', `${limits.join('; ')}; exec "$@"`, 'sh', ...command] }
}

/** Runs the command that follows in a new network namespace, in which no network interface is up. */
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

/** Options for `spawn` that give the process no environment variables and a process group of its own. */
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

/** Returns the memory that the process uses in bytes, or undefined if the system does not report it. */
export async function residentBytes({ pid }: ChildProcess): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  const kb = status === undefined ? undefined : /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kb === undefined ? undefined : Number(kb) * 1024
}
