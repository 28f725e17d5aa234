import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'
import { buildDebianPackages, fastCompression } from '../debian/build-debian-packages.ts'
import { findPackedServer } from '../package/pack-server.ts'
import { ReleaseError } from './release-error.ts'
import type { Release } from './release.ts'

/** Writes the Debian packages of the server, which contain the npm package of the release. */
export async function writeDebianPackages({
  root,
  folder,
  committedAt,
  isFast,
  log,
}: Release): Promise<void> {
  const tarball = findPackedServer(root, folder)
  if (tarball === undefined) throw new ReleaseError('The step debian requires the step packages.')
  try {
    execFileSync('dpkg-deb', ['--version'])
  } catch (error) {
    throw new ReleaseError('The step debian requires dpkg-deb. Install dpkg, or select steps with --only.', {
      cause: error,
    })
  }
  const options = { tarball, date: committedAt, ...(isFast && { compression: fastCompression }) }
  for (const { path } of await buildDebianPackages(root, folder, options)) log(basename(path))
}
