import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

export type ServerProcess = { pid: number; isPostmaster: boolean }

/**
 * Returns the name that identifies the server processes of this cluster in the process list. It is derived from the
 * identity of the folder, so that an orphaned server is not confused with an unrelated process that reuses its pid.
 */
export async function clusterName(clusterFolder: string): Promise<string> {
  const { dev, ino } = await stat(clusterFolder, { bigint: true })
  return `embedded-${dev.toString(36)}-${ino.toString(36)}`
}

/** Finds every running process of the cluster, regardless of who started it. */
export async function findServerProcesses(name: string): Promise<ServerProcess[]> {
  const found: ServerProcess[] = []
  for (const { pid, command } of await runningCommands()) {
    if (command.includes(`cluster_name=${name} `)) found.push({ pid, isPostmaster: true })
    else if (command.startsWith(`postgres: ${name}: `)) found.push({ pid, isPostmaster: false })
  }
  return found
}

/**
 * Stops the remaining processes of a cluster: gracefully if there is a postmaster, immediately once the grace period
 * is over. PostgreSQL recovers from either on its next start. Throws if a process survives.
 */
export async function stopServerProcesses(name: string, gracePeriodMs: number): Promise<void> {
  const steps = [
    { signal: 'SIGINT', timeoutMs: gracePeriodMs, onlyPostmaster: true },
    { signal: 'SIGQUIT', timeoutMs: 2_000, onlyPostmaster: false },
    { signal: 'SIGKILL', timeoutMs: 10_000, onlyPostmaster: false },
  ] as const
  for (const { signal, timeoutMs, onlyPostmaster } of steps) {
    const found = await findServerProcesses(name)
    if (found.length === 0) return
    const addressed = onlyPostmaster ? found.filter(({ isPostmaster }) => isPostmaster) : found
    for (const { pid } of addressed) sendSignal(pid, signal)
    if (addressed.length > 0 && (await haveExitedWithin(name, timeoutMs))) return
  }
  throw new Error(`Processes of the database ${name} cannot be stopped.`)
}

export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function haveExitedWithin(name: string, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if ((await findServerProcesses(name)).length === 0) return true
    await pause(25)
  }
  return false
}

async function runningCommands(): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((entry) => /^\d+$/.test(entry))
  if (pids.length === 0) return await commandsFromPs()
  return await Promise.all(
    pids.map(async (pid) => {
      // Empty for a process that has exited.
      const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
      return { pid: Number(pid), command: `${command.replaceAll('\0', ' ')} ` }
    }),
  )
}

async function commandsFromPs(): Promise<{ pid: number; command: string }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], {
    maxBuffer: 64 << 20,
  })
  return stdout.split('\n').map((line) => {
    const [, pid, command] = /^\s*(\d+) (.*)$/.exec(line) ?? []
    return { pid: Number(pid ?? 0), command: `${command ?? ''} ` }
  })
}
