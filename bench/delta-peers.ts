import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { childCpuMilliseconds, isInstalled, run, seconds } from './commands.ts'

type Transfer = { bytes: number; seconds: number; cpuSeconds?: number }
/** Two versions of a folder, and the archives of both. */
type Versions = { folders: [string, string]; archives: [string, string]; temporary: string }

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

const peers: Record<string, Peer> = {
  'rsync of the folder': {
    command: 'rsync',
    async measure({ folders: [from, to], temporary }) {
      const copy = join(temporary, 'rsync')
      await run('cp', ['-a', from, copy])
      let output = ''
      const args = [
        '-a',
        '--no-whole-file',
        '--delete',
        '--stats',
        '--exclude=/.quayside',
        `${to}/`,
        `${copy}/`,
      ]
      const time = await seconds(async () => (output = await run('rsync', args)))
      await rm(copy, { recursive: true })
      const numberOf = (name: string) =>
        Number(new RegExp(`${name}: ([\\d,]+)`).exec(output)?.[1]?.replaceAll(',', ''))
      const bytes = numberOf('Total bytes sent') + numberOf('Total bytes received')
      return { bytes, seconds: time }
    },
  },
  'xdelta3 of the archive': {
    command: 'xdelta3',
    measure({ archives: [from, to], temporary }) {
      const patch = join(temporary, 'patch.xdelta')
      return sizeAfter('xdelta3', ['-e', '-f', '-B', String(2 ** 31), '-s', from, to, patch], patch)
    },
  },
  'zstd --patch-from of the archive': {
    command: 'zstd',
    measure({ archives: [from, to], temporary }) {
      const patch = join(temporary, 'patch.zst')
      return sizeAfter(
        'zstd',
        ['-q', '-f', '-3', '--long=31', `--patch-from=${from}`, to, '-o', patch],
        patch,
      )
    },
  },
  'zsync of the archive': {
    command: 'zsync',
    measure: ({ archives, temporary }) => measureZsync(archives, temporary),
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
