import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

/** A process of a cluster. A postmaster is supervised as long as the process that started it is running. */
export type ServerProcess = { pid: number; isPostmaster: boolean; isSupervised: boolean }

/**
 * Returns the name that identifies this cluster's server processes in the process list. It is derived from the device
 * and inode of the folder, so that an orphaned server is not confused with an unrelated process that reuses its PID.
 */
export async function clusterName(clusterFolder: string): Promise<string> {
  const { dev, ino } = await stat(clusterFolder, { bigint: true })
  return `embedded-${dev.toString(36)}-${ino.toString(36)}`
}

const supervisorSetting = 'embedded.supervisor'

/**
 * Returns the settings that identify the processes of a cluster and distinguish its supervisor from a process that
 * adopted the postmaster.
 */
export const identifyingSettings = async (name: string): Promise<Record<string, string>> => ({
  [supervisorSetting]: (await identify(process.pid)) ?? 'unknown',
  cluster_name: name,
})

/** Returns every running process of the cluster, regardless of who started it. */
export async function findServerProcesses(name: string): Promise<ServerProcess[]> {
  const found: ServerProcess[] = []
  for (const { pid, command } of await runningCommands()) {
    if (command.includes(`cluster_name=${name} `)) {
      const supervisor = new RegExp(`${supervisorSetting}=(\\S+) `).exec(command)?.[1]
      const isSupervised = supervisor !== undefined && supervisor === (await identifyParent(pid))
      found.push({ pid, isPostmaster: true, isSupervised })
    } else if (command.startsWith(`postgres: ${name}: `)) {
      found.push({ pid, isPostmaster: false, isSupervised: false })
    }
  }
  return found
}

/**
 * Stops the remaining processes of a cluster. If there is a postmaster, it can shut down gracefully within the grace
 * period. PostgreSQL recovers from an immediate shutdown on its next start. Throws if a process does not exit.
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

async function identifyParent(pid: number): Promise<string | undefined> {
  const parent = (await statFields(pid))?.[1] ?? (await psColumn(pid, 'ppid'))
  return parent === undefined ? undefined : await identify(Number(parent))
}

/** Returns an identifier for a process: its start time and its PID in its own container. */
async function identify(pid: number): Promise<string | undefined> {
  const startTime = (await statFields(pid))?.[19] ?? (await psColumn(pid, 'lstart'))
  if (startTime === undefined) return undefined
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return `${/^NSpid:.*\s(\d+)$/m.exec(status)?.[1] ?? pid}@${startTime}`
}

/** Returns the fields of /proc/pid/stat that follow the process name, which is in parentheses. See proc_pid_stat(5). */
async function statFields(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  return text?.slice(text.lastIndexOf(') ') + 2).split(' ')
}

/** Returns a column of `ps` for a process. Used on systems without /proc. */
const psColumn = (pid: number, column: string): Promise<string | undefined> =>
  promisify(execFile)('ps', ['-o', `${column}=`, '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim().replaceAll(/\s+/g, '_') || undefined,
    () => undefined,
  )

async function runningCommands(): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((entry) => /^\d+$/.test(entry))
  if (pids.length === 0) return await commandsFromPs()
  return await Promise.all(
    pids.map(async (pid) => {
      // The command is empty if the process has exited.
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
