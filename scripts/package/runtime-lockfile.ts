import { readFileSync } from 'node:fs'

export type LockedPackage = {
  name?: string
  version?: string
  license?: string
  link?: true
  resolved?: string
  dev?: true
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

type Lockfile = {
  name: string
  version: string
  lockfileVersion: number
  packages: Record<string, LockedPackage>
}

/** A package of the lockfile: `source` is its folder there, and `target` its folder below the package that is packed. */
type Place = { source: string; target: string }

export const readLockfile = (path: string): Lockfile => JSON.parse(readFileSync(path, 'utf8')) as Lockfile

/**
 * Returns the lockfile with which a workspace is installed on its own: the part of the repository's lockfile that the
 * workspace requires at runtime.
 */
export function runtimeLockfile({ lockfileVersion, packages }: Lockfile, workspace: string): Lockfile {
  const own = without(required(packages, workspace), ['devDependencies'])
  const result: Record<string, LockedPackage> = { '': own }
  const queue: Place[] = [{ source: workspace, target: '' }]
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    for (const { name: dependency, isOptional } of runtimeDependencies(required(packages, place.source))) {
      const found = resolve(packages, place.source, dependency)
      if (found === undefined && isOptional) continue
      if (found === undefined)
        throw new Error(`the lockfile lacks ${dependency}, which ${place.source} requires`)
      const { link, resolved } = required(packages, found)
      const source = link === undefined ? found : (resolved ?? found)
      const target = targetOf(found, workspace)
      const entry = without(required(packages, source), ['dev', 'devDependencies', 'name'])
      if (result[target] === undefined) queue.push({ source, target })
      else if (result[target].version !== entry.version)
        throw new Error(`${target} would have the versions ${result[target].version} and ${entry.version}`)
      result[target] = entry
    }
  }
  const sorted = Object.entries(result).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { name = '', version = '' } = own
  return { name, version, lockfileVersion, packages: Object.fromEntries(sorted) }
}

function without(entry: LockedPackage, fields: (keyof LockedPackage)[]): LockedPackage {
  const result = { ...entry }
  for (const field of fields) delete result[field]
  return result
}

function required(packages: Lockfile['packages'], path: string): LockedPackage {
  const entry = packages[path]
  if (entry === undefined) throw new Error(`the lockfile lacks ${path}`)
  return entry
}

function runtimeDependencies(entry: LockedPackage): { name: string; isOptional: boolean }[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta } = entry
  // npm installs optional peer dependencies only for those who ask for them.
  const peers = Object.keys(peerDependencies).filter(
    (peer) => peerDependenciesMeta?.[peer]?.optional !== true,
  )
  return [
    ...[...Object.keys(dependencies), ...peers].map((name) => ({ name, isOptional: false })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, isOptional: true })),
  ]
}

/** Returns the folder of the lockfile from which Node loads a dependency of the package in `folder`. */
function resolve(packages: Lockfile['packages'], folder: string, dependency: string): string | undefined {
  for (let parent = folder; ; parent = parentOf(parent)) {
    const path = parent === '' ? `node_modules/${dependency}` : `${parent}/node_modules/${dependency}`
    if (packages[path] !== undefined) return path
    if (parent === '') return undefined
  }
}

/** Returns the folder in which the package in `folder` is installed: '' for a package directly below the root. */
function parentOf(folder: string): string {
  const index = folder.lastIndexOf('/node_modules/')
  return index === -1 ? '' : folder.slice(0, index)
}

/** Returns the folder of a package when the workspace is the root. */
function targetOf(source: string, workspace: string): string {
  if (source.startsWith(`${workspace}/`)) return source.slice(workspace.length + 1)
  if (source.startsWith('node_modules/')) return source
  throw new Error(`${source} is in the folder of another workspace`)
}
