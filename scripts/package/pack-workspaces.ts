import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

type Packed = { name: string; filename: string }

/** Packs workspaces into `folder`, as `npm publish` would. Returns the paths of the tarballs, in the same order. */
export async function packWorkspaces(
  root: string,
  folder: string,
  names: readonly string[],
): Promise<string[]> {
  const workspaces = names.flatMap((name) => ['--workspace', name])
  const args = ['pack', '--json', '--pack-destination', folder, ...workspaces]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 2 ** 26 })
  // Scripts of the packages may print before the list.
  const packed = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as Packed[]
  return names.map((name) => {
    const found = packed.find((candidate) => candidate.name === name)
    if (found === undefined) throw new Error(`npm pack has not packed ${name}.`)
    return join(folder, found.filename)
  })
}
