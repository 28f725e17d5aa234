import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packWorkspaces } from './pack-workspaces.ts'

/** The tarballs of the npm packages of which an installed server consists. */
export type ServerTarballs = { server: string; embeddedPostgres: string }

/** Packs the server and its database into `folder`. */
export async function packServer(root: string, folder: string): Promise<ServerTarballs> {
  const names = ['@quayside/server', '@quayside/embedded-postgres']
  const [server = '', embeddedPostgres = ''] = await packWorkspaces(root, folder, names)
  return { server, embeddedPostgres }
}

/** Returns the tarballs of the repository's version in `folder`, such as that of a release, or undefined without them. */
export function findPackedServer(root: string, folder: string): ServerTarballs | undefined {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8')) as {
    version: string
  }
  const tarballs = {
    server: join(folder, `quayside-server-${version}.tgz`),
    embeddedPostgres: join(folder, `quayside-embedded-postgres-${version}.tgz`),
  }
  return Object.values(tarballs).every((path) => existsSync(path)) ? tarballs : undefined
}
