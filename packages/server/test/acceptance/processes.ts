import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'

export type Running = { pid: number; parent: number; command: string[] }

/** Every process of the machine that can be seen from here, as Linux shows it. */
function runningProcesses(): Running[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => describe(Number(entry)))
}

/** The processes that this one started, and those that they started. */
export function descendantsOf(pid: number): Running[] {
  const all = runningProcesses()
  const found: Running[] = []
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent))
    found.push(...children)
    parents = children.map((child) => child.pid)
  }
  return found
}

/** Processes at work in a folder: PostgreSQL's all are in that of their data. */
export function processesIn(folder: string): Running[] {
  return runningProcesses().filter(({ pid }) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)
    } catch {
      return false
    }
  })
}

/** Memory in use by one process, in bytes: now, and the most since `forgetPeak`. */
export function memoryOf(pid: number): { residentBytes: number; peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
  return { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') }
}

/** proc(5): 5 sets the peak back to what is in use now. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

export function isRunning(pid: number): boolean {
  const [running] = describe(pid)
  return running !== undefined
}

/** Nothing where the process has ended meanwhile, also when nobody has taken note of its end. */
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
