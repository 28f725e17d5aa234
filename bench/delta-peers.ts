import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { childCpuMilliseconds, isInstalled, run, seconds } from './commands.ts'

export type Transfer = { bytes: number; seconds: number; cpuSeconds?: number }
/** Two versions of a file, such as an archive, and those of the folder in it. */
type Versions = { folders?: [string, string]; files: [string, string]; temporary: string }

type Peer = { command: string; measure: (versions: Versions) => Promise<Transfer | undefined> }

/** Measures a command, and the size of the file that it creates. */
async function sizeAfter(command: string, args: string[], result: string): Promise<Transfer> {
  let cpuSeconds = 0
  const time = await seconds(async () => {
    cpuSeconds = (await childCpuMilliseconds(command, args, process.env)) / 1000
  })
  const { size } = await stat(result)
  await rm(result)
  return { bytes: size, seconds: time, cpuSeconds }
}

/** Measures what rsync transfers to change a copy, with the arguments that select what it copies. */
async function measureRsync(args: string[], temporary: string): Promise<Transfer> {
  const log = join(temporary, 'rsync.log')
  const script = `rsync -a --no-whole-file --stats "$@" > ${log}`
  let cpuSeconds = 0
  const time = await seconds(async () => {
    cpuSeconds = (await childCpuMilliseconds('sh', ['-c', script, 'sh', ...args], process.env)) / 1000
  })
  const output = await run('cat', [log])
  const numberOf = (name: string) =>
    Number(new RegExp(`${name}: ([\\d,]+)`).exec(output)?.[1]?.replaceAll(',', ''))
  const bytes = numberOf('Total bytes sent') + numberOf('Total bytes received')
  return { bytes, seconds: time, cpuSeconds }
}

const peers: Record<string, Peer> = {
  'rsync of the folder': {
    command: 'rsync',
    async measure({ folders, temporary }) {
      if (folders === undefined) return undefined
      const [from, to] = folders
      const copy = join(temporary, 'rsync')
      await run('cp', ['-a', from, copy])
      const measured = await measureRsync(
        ['--delete', '--exclude=/.quayside', `${to}/`, `${copy}/`],
        temporary,
      )
      await rm(copy, { recursive: true })
      return measured
    },
  },
  'rsync of the file': {
    command: 'rsync',
    async measure({ files: [from, to], temporary }) {
      const copy = join(temporary, 'rsync')
      await copyFile(from, copy)
      const measured = await measureRsync(['--ignore-times', to, copy], temporary)
      await rm(copy)
      return measured
    },
  },
  'xdelta3 of the file': {
    command: 'xdelta3',
    measure({ files: [from, to], temporary }) {
      const patch = join(temporary, 'patch.xdelta')
      return sizeAfter('xdelta3', ['-e', '-f', '-B', String(2 ** 31), '-s', from, to, patch], patch)
    },
  },
  'zstd --patch-from of the file': {
    command: 'zstd',
    measure({ files: [from, to], temporary }) {
      const patch = join(temporary, 'patch.zst')
      return sizeAfter(
        'zstd',
        ['-q', '-f', '-3', '--long=31', `--patch-from=${from}`, to, '-o', patch],
        patch,
      )
    },
  },
  'zsync of the file': {
    command: 'zsync',
    measure: ({ files, temporary }) => measureZsync(files, temporary),
  },
  'casync of the file': {
    command: 'casync',
    measure: ({ files, temporary }) => measureCasync(files, temporary),
  },
}

/** Returns what zsync would fetch, in tenths of a percent of the file, without its control file. */
async function measureZsync([from, to]: [string, string], temporary: string): Promise<Transfer | undefined> {
  const control = join(temporary, 'archive.zsync')
  await run('zsyncmake', ['-o', control, '-u', 'http://127.0.0.1:9/archive', to])
  let output = ''
  const time = await seconds(async () => {
    // Nothing listens on this port, so zsync ends after it has searched the old file.
    const script = 'cd "$1" && zsync -i "$2" -o result archive.zsync 2>&1 || true'
    output = await run('sh', ['-c', script, 'sh', temporary, from])
  })
  await rm(control)
  const percent = /Target (\d+\.\d)% complete/.exec(output)?.[1]
  if (percent === undefined) return undefined
  const { size } = await stat(to)
  return { bytes: Math.round(size * (1 - Number(percent) / 100)), seconds: time }
}

/** Returns the size of the compressed chunks that the store gets for the new file, and of its index. */
async function measureCasync([from, to]: [string, string], temporary: string): Promise<Transfer> {
  const folder = join(temporary, 'casync')
  await mkdir(folder)
  const [store, index] = [join(folder, 'store'), join(folder, 'new.caibx')]
  const make = (file: string, target: string) =>
    childCpuMilliseconds('casync', ['make', `--store=${store}`, target, file], process.env)
  await make(from, join(folder, 'old.caibx'))
  const before = await sizeOfFolder(store)
  let cpuSeconds = 0
  const time = await seconds(async () => void (cpuSeconds = (await make(to, index)) / 1000))
  const bytes = (await sizeOfFolder(store)) - before + (await stat(index)).size
  await rm(folder, { recursive: true })
  return { bytes, seconds: time, cpuSeconds }
}

async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Measures every peer that is installed. */
export async function measurePeers(versions: Versions): Promise<Record<string, Transfer>> {
  const measured: Record<string, Transfer> = {}
  for (const [name, { command, measure }] of Object.entries(peers)) {
    if (!(await isInstalled(command))) {
      console.log(`  ${name}: skipped, because ${command} is not installed`)
      continue
    }
    const transfer = await measure(versions)
    if (transfer !== undefined) measured[name] = transfer
  }
  return measured
}
