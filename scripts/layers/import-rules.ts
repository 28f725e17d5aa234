import { posix } from 'node:path'
import type { Finding } from './check-layers.ts'
import type { Import, Source } from './source.ts'
import { openWrites, tableOwners } from './table-owners.ts'

const server = 'packages/server/src/'

/** A file may import from its own layer and from earlier layers in this list. */
const layers: readonly (readonly string[])[] = [
  ['lib'],
  ['crypto', 'net'],
  ['catalog', 'config'],
  ['inspection'],
  ['database', 'storage', 'jobs', 'events', 'http', 'telemetry', 'deps.ts'],
  ['access'],
  ['sign-in'],
  ['features'],
  ['site', 'routes.ts', 'pages.ts', 'jobs.ts', 'dependents.ts'],
  ['start'],
  ['operations', 'app.ts'],
  ['main.ts'],
]

const direction =
  'lib ← crypto, net ← catalog, config ← inspection ← database, storage, jobs, events, http, telemetry ← access ← sign-in ← features ← site, routes, jobs ← start ← operations, app ← main'

/** Returns imports that violate the rules in docs/architecture.md. */
export function importFindings(source: Source): Finding[] {
  return source.imports.flatMap((found) => {
    const message = objection(source.path, found)
    return message === undefined ? [] : [{ path: source.path, line: found.line, message }]
  })
}

function objection(path: string, found: Import): string | undefined {
  if (path.startsWith('packages/server/test/acceptance/')) return acceptanceObjection(found)
  if (isTest(path)) return undefined
  if (found.target === undefined) return `import() needs a literal path, so that this check can follow it`
  if (isTest(found.target))
    return `${found.target} belongs to the tests: move what both need next to the code`
  return (
    barrelObjection(path, found) ??
    packageObjection(path, found.target) ??
    layerObjection(path, found.target) ??
    featureObjection(path, found, found.target)
  )
}

function acceptanceObjection({ target, kind }: Import): string | undefined {
  if (target?.startsWith('packages/server/test/acceptance/') || isForeign(target)) return undefined
  return `acceptance tests use HTTP and the command line only, no ${kind} of ${target ?? 'a computed path'}`
}

// Package entry points may re-export. All other code imports a name from the file that defines it.
const packageEntries = new Set(['packages/sdk/src/client.ts', 'packages/embedded-postgres/src/start.ts'])

function barrelObjection(path: string, { kind, target }: Import): string | undefined {
  if (kind !== 're-export' || packageEntries.has(path)) return undefined
  return `no re-exports: import from ${target} directly`
}

function packageObjection(path: string, target: string): string | undefined {
  if (/^(bench|scripts|\.\.)\//.test(target))
    return `${target} is not part of a package, so a package cannot import it`
  const from = packageOf(path)
  const to = packageOf(target)
  if (from === undefined || to === undefined || from === to) return undefined
  const isRelative = !target.startsWith('@quayside/')
  if (from === 'sdk') return `the SDK imports no other package of the repository, not ${target}`
  if (from === 'embedded-postgres') return `embedded-postgres imports no other package, not ${target}`
  if (isRelative) return `${target} is in another package: import its name (@quayside/${to}), not its files`
  if (from === 'server')
    // The build includes what a program imports, so that the server needs no other package at run time.
    return to === 'embedded-postgres' || (to === 'sdk' && /\.(worker|process)\.ts$/.test(path))
      ? undefined
      : `the server imports @quayside/embedded-postgres only, not ${target}`
  return to === 'sdk' ? undefined : `${from} imports @quayside/sdk only, not ${target}`
}

function layerObjection(path: string, target: string): string | undefined {
  if (!path.startsWith(server) || !target.startsWith(server)) return undefined
  const from = layerOf(path)
  const to = layerOf(target)
  if (from === undefined) return `${path} is in no layer: add it to scripts/layers/import-rules.ts`
  if (to === undefined || to <= from) return undefined
  return `${inServer(path)} may not import ${inServer(target)}, which is above it (${direction})`
}

/**
 * Returns why an import from another feature is not allowed. Features may import the nouns and reads of other features,
 * but not their operations and writes.
 */
function featureObjection(path: string, { kind, names }: Import, target: string): string | undefined {
  const from = featureOf(path)
  const to = featureOf(target)
  if (from === undefined || to === undefined || from === to) return undefined
  const file = posix.basename(target, '.ts')
  // Jobs may be imported, because a feature must import a job to enqueue it.
  if (file.endsWith('.job')) return undefined
  const noun = file.replace(/\.db$/, '')
  if (!nounsOf(to).has(noun))
    return `${inServer(target)} is an operation of ${to}: other features may import only its nouns (${[...nounsOf(to)].join(', ')})`
  if (!file.endsWith('.db') || kind === 'type') return undefined
  const writes = names?.filter((name) => !isReadOrOpen(target, name)) ?? ['everything']
  if (writes.length === 0) return undefined
  return `${writes.join(', ')} of ${inServer(target)}: other features may only read (find…, require…, list…, count…, select…). To change rows, record an event or add the write to openWrites in scripts/layers/table-owners.ts`
}

/** Returns whether other features may import a function, because it is a read or a write listed in `openWrites`. */
function isReadOrOpen(target: string, name: string): boolean {
  return (
    /^(find|require|list|count|select)[A-Z]/.test(name) || openWrites.includes(`${inServer(target)} ${name}`)
  )
}

/** Returns the nouns in the names of a feature and its tables, such as `build`, `file` and `download` for `builds`. */
function nounsOf(feature: string): Set<string> {
  const tables = Object.keys(tableOwners).filter((table) => tableOwners[table] === `features/${feature}`)
  return new Set([feature, ...tables.map((table) => table.replaceAll('_', '-'))].map(singular))
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}

function layerOf(path: string): number | undefined {
  const [top] = path.slice(server.length).split('/')
  const index = layers.findIndex((layer) => layer.includes(top ?? ''))
  return index < 0 ? undefined : index
}

function packageOf(target: string): string | undefined {
  return /^(?:packages|@quayside)\/([^/]+)/.exec(target)?.[1]
}

export function featureOf(path: string): string | undefined {
  return /^packages\/server\/src\/features\/([^/]+)\//.exec(path)?.[1]
}

/**
 * Returns the feature of the server or the console that contains a file, such as `builds`. In the console, the queries and
 * the search parameters of a feature are below its screens, as `builds.queries`.
 */
export function cycleNodeOf(path: string): string | undefined {
  const [, feature, file = ''] = /^packages\/web\/src\/features\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (feature === undefined) return featureOf(path)
  return `console/${feature}${/\.(queries|search)\.ts$/.test(file) ? '.queries' : ''}`
}

export function inServer(path: string): string {
  return path.startsWith(server) ? path.slice(server.length) : path
}

/** Returns whether an import is from npm or Node.js. */
function isForeign(target: string | undefined): boolean {
  return target !== undefined && !/^(packages|bench|scripts|\.\.|@quayside)(\/|$)/.test(target)
}

export function isTest(path: string): boolean {
  return /\.(test|suite|fixture)\.[jt]s$/.test(path) || /^packages\/[^/]+\/test\//.test(path)
}
