import { readFile } from 'node:fs/promises'

const ticksInSecond = 100

/** Seconds of CPU that the processes have used so far; one that has ended counts as none. */
export async function cpuSeconds(pids: number[]): Promise<number> {
  const each = await Promise.all(pids.map(ofProcess))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

async function ofProcess(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // proc(5): the name may hold anything, fields 14 and 15 are user and system time
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksInSecond
}
