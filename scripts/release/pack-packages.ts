import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packWorkspaces } from '../package/pack-workspaces.ts'
import { ReleaseError } from './release-error.ts'
import type { Release } from './release.ts'

type Manifest = { name: string; version: string; private?: boolean }

/** Packs every package that can be published, as `npm publish` would. */
export async function packPackages({ root, folder, version, log }: Release): Promise<void> {
  const packages = listPackages(root)
  for (const { name, version: packageVersion } of packages)
    if (packageVersion !== version)
      throw new ReleaseError(`${name} has version ${packageVersion}, but the release has version ${version}.`)
  const packed = await packWorkspaces(
    root,
    folder,
    packages.map(({ name }) => name),
  )
  for (const { filename } of packed) log(filename)
}

/** Lists the packages of the repository that are not private. */
function listPackages(root: string): Manifest[] {
  return globSync('packages/*/package.json', { cwd: root })
    .toSorted()
    .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest)
    .filter(({ private: isPrivate }) => isPrivate !== true)
}
