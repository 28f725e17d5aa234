import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { createMissingLinks } from '../../packages/embedded-postgres/src/native-package.ts'
import { deleteBuildFiles, deleteUnusedFiles } from '../install/unused-files.ts'
import type { ServerTarballs } from './pack-server.ts'
import { readLockfile, runtimeLockfile, type LockedPackage } from './runtime-lockfile.ts'

export type Cpu = 'x64' | 'arm64'

const run = promisify(execFile)
const writeJson = (path: string, value: object) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`)

/**
 * Installs the packed server into the new folder `folder`, with the dependencies, Node and PostgreSQL of the repository's
 * lockfile for Linux with glibc. Packages and images contain this folder. `node_modules/.bin` has the programs `node` and
 * `quayside-server`.
 */
export async function installServer(
  root: string,
  tarballs: ServerTarballs,
  folder: string,
  cpu: Cpu,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzmf', tarballs.server, '--strip-components=1', '-C', folder])
  const manifest = await readFile(join(folder, 'package.json'), 'utf8')
  await lockDependencies(root, tarballs, folder, cpu)
  // The only install script creates links, which the next step does for every platform. The lockfile lists the peers
  // too, in versions that the overrides of the repository set.
  const options = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--legacy-peer-deps', '--prefer-offline']
  const platform = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc']
  await run('npm', ['ci', ...options, ...platform], { cwd: folder, maxBuffer: 2 ** 26 })
  const modules = join(folder, 'node_modules')
  const postgres = join(modules, '@embedded-postgres', `linux-${cpu}`)
  const reason = await createMissingLinks({ folder: postgres }, join(postgres, 'native'))
  if (reason !== undefined) throw new Error(reason)
  await writeFile(join(folder, 'package.json'), manifest)
  for (const path of ['package-lock.json', 'node_modules/.package-lock.json', 'node_modules/.bin'])
    await rm(join(folder, path), { recursive: true, force: true })
  await deleteUnusedFiles(modules)
  await deleteBuildFiles(modules)
  await mkdir(join(modules, '.bin'))
  await linkProgram(modules, 'node', join(modules, `node-linux-${cpu}`, 'bin/node'))
  await linkProgram(modules, 'quayside-server', join(folder, 'bin/quayside-server.js'))
  await normalizeModes(folder)
}

/**
 * Lets npm install the locked versions: a range in a package.json would select the newest version that exists when the
 * package or image is built. Adds Node to the dependencies, and takes embedded-postgres from its tarball.
 */
async function lockDependencies(
  root: string,
  tarballs: ServerTarballs,
  folder: string,
  cpu: Cpu,
): Promise<void> {
  const node = `node-linux-${cpu}`
  const repositoryLock = readLockfile(join(root, 'package-lock.json'))
  const lockedNode = repositoryLock.packages[`node_modules/${node}`]
  if (lockedNode?.version === undefined) throw new Error(`The lockfile lacks ${node}.`)
  const optionalDependencies = { [node]: lockedNode.version }
  const withNode = ({ name, version, dependencies }: LockedPackage) =>
    ({ name, version, dependencies, optionalDependencies }) as LockedPackage

  const manifestPath = join(folder, 'package.json')
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as LockedPackage
  await writeJson(manifestPath, withNode(manifest))

  const lockfile = runtimeLockfile(repositoryLock, 'packages/server')
  const postgres = 'node_modules/@quayside/embedded-postgres'
  const resolved = `file:${relative(folder, tarballs.embeddedPostgres)}`
  await writeJson(join(folder, 'package-lock.json'), {
    ...lockfile,
    packages: {
      ...lockfile.packages,
      '': withNode(lockfile.packages[''] ?? {}),
      [postgres]: { ...lockfile.packages[postgres], resolved },
      [`node_modules/${node}`]: lockedNode,
    },
  })
}

const linkProgram = (modules: string, name: string, target: string) =>
  symlink(relative(join(modules, '.bin'), target), join(modules, '.bin', name))

/** The modes of extracted files depend on the umask. */
async function normalizeModes(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, isProgram(path) ? 0o755 : 0o644)
  }
}

/** Programs are in folders named `bin`; npm makes a few other files executable that nobody runs. */
const isProgram = (path: string): boolean => dirname(path).endsWith('/bin')
