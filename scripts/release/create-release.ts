import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readCheckout } from './checkout.ts'
import type { Options } from './options.ts'

/** Builds a release from a checkout. The folder appears only when it is complete. */
export async function createRelease(
  root: string,
  options: Options,
  print: (line: string) => void,
): Promise<void> {
  const { folder, steps, ...settings } = options
  const checkout = await readCheckout(root)
  print(`Quayside ${checkout.version} from commit ${checkout.commit}`)
  await mkdir(join(folder, '..'), { recursive: true })
  const unfinished = await mkdtemp(`${folder}.`)
  try {
    for (const { name, run } of steps) {
      const startedAt = performance.now()
      const log = (line: string) => print(`  ${line}`)
      print(`${name} …`)
      await run({ ...checkout, ...settings, root, folder: unfinished, log })
      log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    }
    await chmod(unfinished, 0o755)
    await rm(folder, { recursive: true, force: true })
    await rename(unfinished, folder)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  print(await artifactTable(folder))
}

async function artifactTable(folder: string): Promise<string> {
  const names = (await readdir(folder)).toSorted()
  const width = Math.max(...names.map((name) => name.length))
  const lines = await Promise.all(
    names.map(async (name) => {
      const { size } = await stat(join(folder, name))
      return `${name.padEnd(width)}  ${formatSize(size).padStart(9)}`
    }),
  )
  return ['', `Artifacts in ${folder}:`, ...lines].join('\n')
}

const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
