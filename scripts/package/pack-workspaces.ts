import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

export type PackedPackage = { name: string; filename: string; size: number; files: { path: string }[] }

const run = promisify(execFile)
const serverName = '@quayside/server'

/** Packs workspaces into `folder`, as they are published, and returns them in the same order. */
export async function packWorkspaces(
  root: string,
  folder: string,
  names: readonly string[],
): Promise<PackedPackage[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'quayside-server-package-'))
  try {
    if (names.includes(serverName)) {
      const program = join(root, 'scripts/server-package.ts')
      await run(process.execPath, ['--conditions=@quayside/source', program, temporary], { cwd: root })
    }
    const sources = names.map((name) =>
      name === serverName ? temporary : join(root, 'packages', basename(name)),
    )
    const args = ['pack', '--json', '--pack-destination', folder, ...sources]
    const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 2 ** 26 })
    // Scripts of the packages may print before the list.
    const packed = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as PackedPackage[]
    return names.map((name) => {
      const found = packed.find((candidate) => candidate.name === name)
      if (found === undefined) throw new Error(`npm pack has not packed ${name}.`)
      return found
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
