import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packWorkspaces } from './pack-workspaces.ts'

/** Packs the server into `folder` and returns the path of the tarball. */
export async function packServer(root: string, folder: string): Promise<string> {
  const [packed] = await packWorkspaces(root, folder, ['@quayside/server'])
  return join(folder, packed?.filename ?? '')
}

/** Returns the tarball of the repository's version in `folder`, such as that of a release, or undefined without it. */
export function findPackedServer(root: string, folder: string): string | undefined {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8')) as {
    version: string
  }
  const tarball = join(folder, `quayside-server-${version}.tgz`)
  return existsSync(tarball) ? tarball : undefined
}
