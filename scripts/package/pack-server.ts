import { packWorkspaces } from './pack-workspaces.ts'

/** The tarballs of the npm packages of which an installed server consists. */
export type ServerTarballs = { server: string; embeddedPostgres: string }

/** Packs the server and its database into `folder`. */
export async function packServer(root: string, folder: string): Promise<ServerTarballs> {
  const names = ['@quayside/server', '@quayside/embedded-postgres']
  const [server = '', embeddedPostgres = ''] = await packWorkspaces(root, folder, names)
  return { server, embeddedPostgres }
}
