import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type MemoryLimit = Awaited<ReturnType<typeof limitMemory>>

const mebibyte = 1024 * 1024
const sampleMs = 250

/** The names of the files of a memory cgroup in version 1 and 2 of the interface. */
const versions = [
  {
    root: '/sys/fs/cgroup/memory',
    marker: 'memory.limit_in_bytes',
    limit: 'memory.limit_in_bytes',
    // Version 1 limits the sum of memory and swap.
    swap: { file: 'memory.memsw.limit_in_bytes', isSum: true },
    processMemory: /^total_(?:rss|shmem) (\d+)/gm,
    kills: { file: 'memory.oom_control', count: /^oom_kill (\d+)/gm },
  },
  {
    root: '/sys/fs/cgroup',
    marker: 'cgroup.subtree_control',
    limit: 'memory.max',
    swap: { file: 'memory.swap.max', isSum: false },
    processMemory: /^(?:anon|shmem) (\d+)/gm,
    kills: { file: 'memory.events', count: /^oom_kill (\d+)/gm },
  },
]

/**
 * Creates a cgroup whose processes can use at most `mebibytes` of memory, including the page cache of the files that they
 * write, and no swap. The kernel kills a process that needs more. Requires root on Linux.
 */
export async function limitMemory(mebibytes: number) {
  const version = versions.find(({ root, marker }) => existsSync(join(root, marker)))
  if (version === undefined) throw new Error('--memory-mib requires a memory cgroup.')
  const folder = join(version.root, `quayside-bench-${process.pid}`)
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const sumIn = async (name: string, pattern: RegExp) => {
    let sum = 0
    for (const [, number] of (await read(name)).matchAll(pattern)) sum += Number(number)
    return sum
  }
  await mkdir(folder)
  await writeFile(join(folder, version.limit), String(mebibytes * mebibyte))
  const { file, isSum } = version.swap
  // Without swap accounting, the file does not exist.
  if (existsSync(join(folder, file)))
    await writeFile(join(folder, file), String(isSum ? mebibytes * mebibyte : 0))
  let peakProcessMemory = 0
  const timer = setInterval(() => {
    void sumIn('memory.stat', version.processMemory).then(
      (bytes) => (peakProcessMemory = Math.max(peakProcessMemory, bytes)),
      () => undefined,
    )
  }, sampleMs)
  return {
    mebibytes,
    /** Returns the command that runs `command` in the cgroup, with the same process ID. */
    wrap: (command: string[]): [string, ...string[]] => [
      'sh',
      '-c',
      'echo $$ > "$0/cgroup.procs" && exec "$@"',
      folder,
      ...command,
    ],
    /** Returns the peak memory of all processes in MB, without the page cache, and how many were killed. */
    async measure() {
      const kills = await sumIn(version.kills.file, version.kills.count)
      return { processMb: Math.round(peakProcessMemory / 1e6), kills }
    },
    /** Deletes the cgroup, whose processes must have exited. */
    async remove(): Promise<void> {
      clearInterval(timer)
      await rmdir(folder)
    },
  }
}
