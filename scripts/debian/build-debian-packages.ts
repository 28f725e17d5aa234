import { execFile } from 'node:child_process'
import {
  chmod,
  copyFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { installServer, type Cpu } from '../package/install-server.ts'
import { hashFile } from '../release/checksums.ts'
import { controlFile, debianChangelog, debianVersion, packageName, type Release } from './control.ts'
import { copyrightFile } from './copyright.ts'
import { manualPage } from './manual-page.ts'
import { readSystemdUnits } from './systemd-units.ts'

export type DebianArchitecture = 'amd64' | 'arm64'
export type DebianPackage = { architecture: DebianArchitecture; path: string; sizeBytes: number }

type Options = {
  /** The tarball of the server's npm package, which the packages contain. */
  tarball: string
  architectures?: readonly DebianArchitecture[]
  /** The time of all files. The same time and the same tarball result in the same bytes. */
  date: Date
  /** Options of dpkg-deb. */
  compression?: readonly string[]
}

/** Options of dpkg-deb that make packages larger and take a fraction of the time. */
export const fastCompression = ['-Zgzip', '-z4']

const cpus: Record<DebianArchitecture, Cpu> = { amd64: 'x64', arm64: 'arm64' }
const run = promisify(execFile)

/** Builds a Debian package of the server for each architecture into `folder`. Requires dpkg-deb. */
export async function buildDebianPackages(
  root: string,
  folder: string,
  { architectures = ['amd64', 'arm64'], ...options }: Options,
): Promise<DebianPackage[]> {
  const manifest = JSON.parse(await readFile(join(root, 'packages/server/package.json'), 'utf8')) as Release
  const { homepage } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Release
  const release = { ...manifest, homepage }
  const packages: DebianPackage[] = []
  // Building one after the other halves the disk space that the build needs.
  for (const architecture of architectures)
    packages.push(await buildDebianPackage(root, folder, release, architecture, options))
  return packages
}

async function buildDebianPackage(
  root: string,
  folder: string,
  release: Release,
  architecture: DebianArchitecture,
  { tarball, date, compression = ['-Zxz', '-z6'] }: Options,
): Promise<DebianPackage> {
  const tree = await mkdtemp(join(tmpdir(), 'quayside-debian-'))
  try {
    await chmod(tree, 0o755)
    await writeTree(root, tree, release, cpus[architecture], tarball, date)
    await writeControlFiles(root, tree, release, architecture)
    const path = join(folder, `${packageName}_${debianVersion(release.version)}_${architecture}.deb`)
    // xz with several threads compresses to different bytes than with one.
    await run('dpkg-deb', [...compression, '--threads-max=1', '--root-owner-group', '--build', tree, path], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(date.getTime() / 1000)) },
    })
    return { architecture, path, sizeBytes: (await lstat(path)).size }
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

/** Writes the files that the package installs. */
async function writeTree(
  root: string,
  tree: string,
  release: Release,
  cpu: Cpu,
  tarball: string,
  date: Date,
): Promise<void> {
  const source = join(root, 'deploy/debian')
  const server = join(tree, 'usr/lib/quayside')
  await installServer(root, tarball, server, cpu)
  const documents = join(tree, 'usr/share/doc', packageName)
  const { stdout: help } = await run(process.execPath, [join(server, 'bin/quayside-server.js'), '--help'])
  await copy(join(root, 'deploy/systemd/quayside-backup'), join(server, 'bin/quayside-backup'), 0o755)
  await copy(join(source, 'quayside-server'), join(tree, 'usr/bin/quayside-server'), 0o755)
  await copy(join(source, 'quayside.env'), join(tree, 'etc/quayside.env'), 0o600)
  await copy(join(source, 'quayside.sysusers'), join(tree, 'usr/lib/sysusers.d/quayside.conf'))
  await copy(join(source, 'lintian-overrides'), join(tree, 'usr/share/lintian/overrides', packageName))
  for (const [name, unit] of await readSystemdUnits(root))
    await write(join(tree, 'usr/lib/systemd/system', name), unit)
  await write(join(documents, 'copyright'), copyrightFile(server, release.homepage, date.getUTCFullYear()))
  await write(join(documents, 'changelog.gz'), compress(debianChangelog(release.version, date)))
  await write(join(documents, 'CHANGELOG.md.gz'), compress(await readFile(join(root, 'CHANGELOG.md'))))
  await cp(join(server, 'README.md'), join(documents, 'README.md'))
  await symlink('../../../lib/quayside/built/docs', join(documents, 'docs'))
  await write(join(tree, 'usr/share/man/man1/quayside-server.1.gz'), compress(manualPage(help)))
}

/** Writes what dpkg reads: the control file, checksums, settings and scripts. */
async function writeControlFiles(
  root: string,
  tree: string,
  release: Release,
  architecture: DebianArchitecture,
): Promise<void> {
  const files = await listFiles(tree)
  const sums = await Promise.all(
    files.map(async (file) => `${await hashFile(join(tree, file), 'md5')}  ${file}\n`),
  )
  const sizes = await Promise.all(files.map(async (file) => (await lstat(join(tree, file))).size))
  const installedBytes = sizes.reduce((total, size) => total + size, 0)
  const control = join(tree, 'DEBIAN')
  await write(join(control, 'control'), controlFile(release, architecture, installedBytes))
  await write(join(control, 'conffiles'), '/etc/quayside.env\n')
  await write(join(control, 'md5sums'), sums.join(''))
  for (const script of ['postinst', 'prerm', 'postrm'])
    await copy(join(root, 'deploy/debian', script), join(control, script), 0o755)
}

/** Returns the paths of all regular files below a folder, in a fixed order. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted((a, b) => (a < b ? -1 : 1))
}

const compress = (content: string | Buffer): Buffer => gzipSync(content, { level: 9 })

async function write(path: string, content: string | Buffer, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 })
  await writeFile(path, content)
  await chmod(path, mode)
}

async function copy(source: string, target: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o755 })
  await copyFile(source, target)
  await chmod(target, mode)
}
