import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './commands.ts'

/**
 * Installs packages of a peer from npm and returns the folder in which a program finds them. They are not dependencies of the
 * repository, because nothing else uses them. The first package names the folder, with its version.
 */
export async function installPeer(first: string, ...others: string[]): Promise<string> {
  const folder = join(import.meta.dirname, '../.cache/bench', first.replaceAll('/', '-'))
  // npm writes this file last.
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder
  await mkdir(folder, { recursive: true })
  const options = '--no-save --no-package-lock --omit=optional --no-audit --no-fund --prefix'.split(' ')
  await run('npm', ['install', ...options, folder, first, ...others])
  return folder
}
