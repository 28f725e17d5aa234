import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

export type PackedPackage = { name: string; filename: string; size: number; files: { path: string }[] }

const run = promisify(execFile)
const serverName = '@quayside/server'

/** The arguments of Node that write the package of a workspace to the folder that follows. */
const programOf = (name: string): string[] =>
  name === serverName
    ? ['--conditions=@quayside/source', 'scripts/server-package.ts']
    : ['scripts/build-package.ts', basename(name)]

/** Packs workspaces into `folder`, as they are published, and returns them in the same order. */
export async function packWorkspaces(
  root: string,
  folder: string,
  names: readonly string[],
): Promise<PackedPackage[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'quayside-packages-'))
  try {
    const sources = names.map((name) => join(temporary, basename(name)))
    for (const [index, name] of names.entries())
      await run(process.execPath, [...programOf(name), sources[index] ?? ''], { cwd: root })
    const args = ['pack', '--json', '--pack-destination', folder, ...sources]
    const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 2 ** 26 })
    const packed = JSON.parse(stdout) as PackedPackage[]
    return names.map((name) => {
      const found = packed.find((candidate) => candidate.name === name)
      if (found === undefined) throw new Error(`npm pack has not packed ${name}.`)
      return found
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
