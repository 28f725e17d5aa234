import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

export type ServerProcess = { pid: number; isPostmaster: boolean }

/**
 * The name each process of a cluster's server bears for all to see, made from the folder's identity: found
 * again in the list of processes it tells a server left behind from a process that merely got its number.
 */
export async function clusterName(clusterFolder: string): Promise<string> {
  const { dev, ino } = await stat(clusterFolder, { bigint: true })
  return `quayside-${dev.toString(36)}-${ino.toString(36)}`
}

/** Every living process of the cluster, whoever started it. */
export async function findServerProcesses(name: string): Promise<ServerProcess[]> {
  const found: ServerProcess[] = []
  for (const { pid, command } of await runningCommands()) {
    if (command.includes(`cluster_name=${name} `)) found.push({ pid, isPostmaster: true })
    else if (command.startsWith(`postgres: ${name}: `)) found.push({ pid, isPostmaster: false })
  }
  return found
}

/**
 * Ends what is left of a cluster's server: in order while there is a postmaster and time, else at once.
 * PostgreSQL recovers from either at its next start.
 */
export async function endServerProcesses(name: string, orderlyMilliseconds: number): Promise<void> {
  const steps = [
    { signal: 'SIGINT', milliseconds: orderlyMilliseconds, onlyPostmaster: true },
    { signal: 'SIGQUIT', milliseconds: 2_000, onlyPostmaster: false },
    { signal: 'SIGKILL', milliseconds: 10_000, onlyPostmaster: false },
  ] as const
  for (const { signal, milliseconds, onlyPostmaster } of steps) {
    const found = await findServerProcesses(name)
    if (found.length === 0) return
    const addressed = onlyPostmaster ? found.filter(({ isPostmaster }) => isPostmaster) : found
    for (const { pid } of addressed) sendSignal(pid, signal)
    if (addressed.length > 0 && (await goneWithin(name, milliseconds))) return
  }
  throw new Error(`Processes of the database ${name} can not be ended.`)
}

export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

async function goneWithin(name: string, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds
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
      // a process that has ended has an empty one
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
