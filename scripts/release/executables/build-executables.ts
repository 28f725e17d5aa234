import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { completionScripts } from '../../../packages/cli/src/commands/completion/scripts.ts'
import type { ArchiveFile } from '../../../packages/server/src/lib/archives/archive-file.ts'
import { tarGz } from '../../../packages/server/src/lib/archives/tar.ts'
import { zipArchive } from '../../../packages/server/src/lib/archives/zip.ts'
import { buildCli } from '../../build/cli.ts'
import { ReleaseError } from '../release-error.ts'
import type { Release } from '../release.ts'
import { run } from '../run.ts'
import { embedScript } from './embed.ts'
import { checkExecutable, checkNode } from './inspect-executable.ts'
import { fetchNode } from './node-programs.ts'
import { hostTarget, targets, type Target } from './targets.ts'

/** The server that the command line uses if none is selected. */
const defaultServer = 'http://localhost:4400'

/** Builds the command line with Node as one file per platform, in an archive with its man page and completions. */
export async function buildExecutables(release: Release): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'quayside-executables-'))
  try {
    await buildCli(join(work, 'bundle'), defaultServer)
    const script = 'bundle/quayside.mjs'
    for (const target of targets) {
      const name = `quayside-${release.version}-${target.name}.${target.platform === 'win32' ? 'zip' : 'tar.gz'}`
      await writeFile(join(release.folder, name), await buildArchive(release, target, { script, work }))
      const isRun = target === hostTarget()
      release.log(`${name} (${isRun ? 'inspected and run' : 'inspected, not run on this machine'})`)
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function buildArchive(
  { root, version, committedAt, isFast }: Release,
  target: Target,
  { script, work }: { script: string; work: string },
): Promise<Buffer> {
  const node = await fetchNode(root, target)
  await checkNode(target, await readFile(join(node, target.nodePath)))
  const program = await embedScript(root, target, { script, work })
  await checkExecutable(target, program)
  if (target === hostTarget()) await checkVersion(program, work, version)
  const files = await archiveFiles(root, target, program)
  const entries = files.map((file) => ({ ...file, path: `quayside-${version}-${target.name}/${file.path}` }))
  const pack = target.platform === 'win32' ? zipArchive : tarGz
  return pack(entries, committedAt, isFast ? 1 : 9)
}

async function checkVersion(program: Buffer, work: string, version: string): Promise<void> {
  const path = join(work, 'quayside-to-run')
  await writeFile(path, program)
  await chmod(path, 0o755)
  const printed = (await run(path, ['--version'], { cwd: work })).trim()
  if (printed !== version) throw new ReleaseError(`The executable prints version ${printed}, not ${version}.`)
}

/** Lists the files of an archive. Except on Windows, they are where a prefix such as /usr/local has them. */
async function archiveFiles(root: string, target: Target, program: Buffer): Promise<ArchiveFile[]> {
  const read = (path: string) => readFile(join(root, path))
  // The packages for Windows and macOS do not contain the license, which is the same for all platforms.
  const nodeLicense = await readFile(join(await fetchNode(root, nodeWithLicense()), 'LICENSE'))
  const documents = [
    { path: 'LICENSE', content: await read('LICENSE') },
    { path: 'LICENSE.node', content: nodeLicense },
    { path: 'README.md', content: await read('packages/cli/README.md') },
  ]
  if (target.platform === 'win32')
    return [
      { path: target.program, content: program, mode: 0o755 },
      ...documents.map((file) => ({ ...file, mode: 0o644 })),
    ]
  const shared = [
    { path: 'man/man1/quayside.1', content: await read('packages/cli/man/quayside.1') },
    { path: 'bash-completion/completions/quayside', content: Buffer.from(completionScripts.bash) },
    { path: 'zsh/site-functions/_quayside', content: Buffer.from(completionScripts.zsh) },
    { path: 'fish/vendor_completions.d/quayside.fish', content: Buffer.from(completionScripts.fish) },
    ...documents.map(({ path, content }) => ({ path: `doc/quayside/${path}`, content })),
  ]
  return [
    { path: `bin/${target.program}`, content: program, mode: 0o755 },
    ...shared.map(({ path, content }) => ({ path: `share/${path}`, content, mode: 0o644 })),
  ]
}

function nodeWithLicense(): Target {
  const target = targets.find(({ name }) => name === 'linux-x64')
  if (target === undefined) throw new Error('There is no target linux-x64.')
  return target
}
