import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseError } from '../release-error.ts'
import { run } from '../run.ts'
import { targets, type Target } from './targets.ts'

/** A program of Node in the registry, and the checksum of its package. */
export type NodeProgram = { name: string; version: string; integrity: string }

const nodeFolder = 'scripts/release/node'

/** Returns the URL that identifies the package of a program (purl). */
export const packageUrl = ({ name, version }: NodeProgram): string => `pkg:npm/${name}@${version}`

/** Returns the checksum of the package in hexadecimal. */
export const sha512Of = ({ integrity }: NodeProgram): string =>
  Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')

/** Returns the Node of each target from the lockfile in scripts/release/node, which has a version for all targets. */
export function lockedNodePrograms(root: string): NodeProgram[] {
  const lockfile = JSON.parse(readFileSync(join(root, nodeFolder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>
  }
  const programs = targets.map(({ nodePackage }) => {
    const locked = lockfile.packages[`node_modules/${nodePackage}`]
    if (locked === undefined) throw new ReleaseError(`${nodeFolder}/package-lock.json lacks ${nodePackage}.`)
    return { name: nodePackage, version: locked.version, integrity: locked.integrity }
  })
  // Node embeds programs only into Node of its own version.
  if (new Set(programs.map(({ version }) => version)).size !== 1)
    throw new ReleaseError(`The packages in ${nodeFolder}/package.json must have the same version.`)
  return programs
}

/**
 * Downloads Node for a target from the registry, verifies its checksum, and returns the folder of its package. The folder
 * is kept for further releases.
 */
export async function fetchNode(root: string, { nodePackage }: Target): Promise<string> {
  const locked = lockedNodePrograms(root).find(({ name }) => name === nodePackage)
  if (locked === undefined) throw new ReleaseError(`${nodeFolder}/package-lock.json lacks ${nodePackage}.`)
  const cache = join(root, 'node_modules/.cache/release')
  const folder = join(cache, `${nodePackage}-${locked.version}-${checksumName(locked)}`)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(`${folder}.`)
  try {
    const spec = `${locked.name}@${locked.version}`
    const output = await run('npm', ['pack', spec, '--json', '--pack-destination', unfinished], { cwd: root })
    const [{ filename }] = JSON.parse(output) as [{ filename: string }]
    const tarball = join(unfinished, filename)
    if (integrityOf(await readFile(tarball)) !== locked.integrity)
      throw new ReleaseError(`The checksum of ${spec} differs from the lockfile in ${nodeFolder}.`)
    await run('tar', ['-xzf', filename, '--strip-components=1'], { cwd: unfinished })
    await rm(tarball)
    // Another release that shares the cache may have stored the same package.
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}

const integrityOf = (content: Buffer): string =>
  `sha512-${createHash('sha512').update(content).digest('base64')}`

const checksumName = ({ integrity }: NodeProgram): string =>
  createHash('sha256').update(integrity).digest('hex').slice(0, 8)
