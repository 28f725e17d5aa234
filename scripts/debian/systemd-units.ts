import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What differs between an installation as in docs/vm.md, for which deploy/systemd is written, and the Debian package. */
const replacements: readonly (readonly [string, string])[] = [
  ['/opt/quayside/deploy/systemd/quayside-backup', '/usr/lib/quayside/bin/quayside-backup'],
  ['/opt/quayside', '/usr/lib/quayside'],
  ['docs/vm.md', 'docs/debian.md'],
  ['# npm installs Node 24 and quayside-server in this folder.\n', ''],
]

/** Returns the systemd units of the repository with the paths of the package, by name. */
export async function readSystemdUnits(root: string): Promise<Map<string, string>> {
  const folder = join(root, 'deploy/systemd')
  const names = (await readdir(folder)).filter((name) => /\.(?:service|timer)$/.test(name)).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  for (const [text] of replacements)
    if (!texts.some((unit) => unit.includes(text))) throw new Error(`deploy/systemd lacks "${text}"`)
  return new Map(
    names.map((name, index) => [
      name,
      replacements.reduce((text, [from, to]) => text.replaceAll(from, to), texts[index] ?? ''),
    ]),
  )
}
