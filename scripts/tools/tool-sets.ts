import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Packages that neither the server nor most tests need. Each set is a folder with its own lockfile, so that `npm ci` in the
 * root does not install it.
 */
export type ToolSet = 'check' | 'icons' | 'samples' | 'updaters'

type Packages = Record<string, { version?: string; dependencies?: Record<string, string> }>

const folderOf = (set: ToolSet): string => join(import.meta.dirname, set)

/** Returns the path of a file in an installed package of the set. */
export const toolPath = (set: ToolSet, path: string): string => join(folderOf(set), 'node_modules', path)

/** Returns whether the packages of the set are installed in the locked versions. */
export function isInstalled(set: ToolSet): boolean {
  // npm writes this file when an installation is complete.
  const installed = toolPath(set, '.package-lock.json')
  if (!existsSync(installed)) return false
  const [locked, found] = [join(folderOf(set), 'package-lock.json'), installed].map(readPackages)
  return Object.keys(locked?.['']?.dependencies ?? {})
    .map((name) => `node_modules/${name}`)
    .every((path) => found?.[path]?.version === locked?.[path]?.version)
}

/** Installs the packages of the set unless they are installed. */
export function installTools(set: ToolSet): void {
  if (isInstalled(set)) return
  process.stderr.write(`Installing the packages in scripts/tools/${set} …\n`)
  execFileSync('npm', ['ci'], {
    cwd: folderOf(set),
    // Standard output belongs to the command that needs the packages.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
}

const readPackages = (path: string): Packages =>
  (JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }).packages
