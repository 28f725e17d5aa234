import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'

export type Running = { pid: number; parent: number; command: string[] }

const processIds = (): number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)

/** Returns the descendants of a process. */
export function descendantsOf(pid: number): Running[] {
  const all = processIds().flatMap(describe)
  const found: Running[] = []
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent))
    found.push(...children)
    parents = children.map((child) => child.pid)
  }
  return found
}

/** Returns the processes whose working directory is inside a folder, such as PostgreSQL in its data directory. */
export const processesIn = (folder: string): Running[] =>
  processIds()
    .filter((pid) => isIn(folder, pid))
    .flatMap(describe)

/** Returns whether the working directory of a process is inside a folder. */
export function isIn(folder: string, pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)
  } catch {
    return false
  }
}

/** Returns the current memory use of a process and its peak since `resetPeak`. */
export function memoryOf(pid: number): { residentBytes: number; peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
  return { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') }
}

/** Returns how many bytes a process has read from files and sockets. */
export const bytesReadBy = (pid: number): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

/** Resets the peak memory use to the current value (see clear_refs in proc(5)). */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

export const isRunning = (pid: number): boolean => describe(pid).length > 0

/** Returns an array with the process, or an empty array if the process has ended or is a zombie. */
function describe(pid: number): Running[] {
  try {
    const [, state, parent] =
      /^\d+ \(.*\) (\w) (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    if (state === 'Z' || state === 'X') return []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .filter((word) => word !== '')
    return [{ pid, parent: Number(parent), command }]
  } catch {
    return []
  }
}
