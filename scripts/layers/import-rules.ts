import { posix } from 'node:path'
import type { Finding } from './check-layers.ts'
import type { Import, Source } from './source.ts'
import { openWrites, tableOwners } from './table-owners.ts'

const server = 'packages/server/src/'

/** Lower layers know nothing of higher ones; within one layer imports are free. */
const layers: readonly (readonly string[])[] = [
  ['lib'],
  ['catalog', 'formats', 'config.ts'],
  ['database', 'storage', 'jobs', 'events', 'http', 'deps.ts'],
  ['features'],
  ['routes.ts', 'jobs.ts'],
  ['app.ts', 'first-start.ts', 'master-secret.ts', 'version.ts'],
  ['main.ts', 'welcome.ts'],
]

const direction =
  'lib ← catalog, formats ← database, storage, jobs, events, http ← features ← routes, jobs ← app ← main'

/** Every import of the file that goes against docs/architecture.md. */
export function importFindings(source: Source): Finding[] {
  return source.imports.flatMap((found) => {
    const message = objection(source.path, found)
    return message === undefined ? [] : [{ path: source.path, line: found.line, message }]
  })
}

function objection(path: string, found: Import): string | undefined {
  if (path.startsWith('packages/server/test/acceptance/')) return acceptanceObjection(found)
  if (isTest(path)) return undefined
  if (found.target === undefined)
    return `the module's name must be written out in import(), or nobody can check where it leads`
  if (isTest(found.target)) return `${found.target} is a test's; what both need belongs beside the code`
  return (
    barrelObjection(path, found) ??
    packageObjection(path, found.target) ??
    layerObjection(path, found.target) ??
    featureObjection(path, found, found.target)
  )
}

function acceptanceObjection({ target, kind }: Import): string | undefined {
  if (target?.startsWith('packages/server/test/acceptance/') || isForeign(target)) return undefined
  return `acceptance tests speak HTTP and the command line only: no ${kind} of ${target ?? 'a computed name'}`
}

/** The package's entry may name what it offers; everybody else imports from where a thing is. */
function barrelObjection(path: string, { kind, target }: Import): string | undefined {
  if (kind !== 're-export' || path === 'packages/sdk/src/client.ts') return undefined
  return `no re-exports: let each user import from ${target}`
}

function packageObjection(path: string, target: string): string | undefined {
  if (/^(bench|scripts|\.\.)\//.test(target)) return `${target} is no part of a package: none imports it`
  const from = packageOf(path)
  const to = packageOf(target)
  if (from === undefined || to === undefined || from === to) return undefined
  const isRelative = !target.startsWith('@quayside/')
  if (from === 'sdk') return `the SDK imports nothing of ours, not ${target}`
  if (isRelative) return `${target} lies in another package: import its name (@quayside/${to}), not its files`
  if (from === 'cli' && target === '@quayside/server/main') {
    if (/^packages\/cli\/src\/commands\/serve(\/.*)?\.ts$/.test(path)) return undefined
    return 'only the serve command may start the server; everything else talks to it through @quayside/sdk'
  }
  if (from === 'server') return `the server knows none of the other packages, so not ${target}`
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

/** A feature shows the others its nouns and what can be read of them; its operations are its own. */
function featureObjection(path: string, { kind, names }: Import, target: string): string | undefined {
  const from = featureOf(path)
  const to = featureOf(target)
  if (from === undefined || to === undefined || from === to) return undefined
  const file = posix.basename(target, '.ts')
  // a job is named by whoever enqueues it
  if (file.endsWith('.job')) return undefined
  const noun = file.replace(/\.db$/, '')
  if (!nounsOf(to).has(noun))
    return `${inServer(target)} is an operation of ${to}: another feature may import its nouns (${[...nounsOf(to)].join(', ')}) only`
  if (!file.endsWith('.db') || kind === 'type') return undefined
  const wrong = names?.filter((name) => !isReadOrOpen(target, name)) ?? ['everything']
  if (wrong.length === 0) return undefined
  return `${wrong.join(', ')} of ${inServer(target)}: another feature may only read (find…, require…, list…, select…): to change rows record an event, or open the write in scripts/layers/table-owners.ts`
}

/** `select…` is an expression or a subquery for somebody's own query; the others run one. */
function isReadOrOpen(target: string, name: string): boolean {
  return /^(find|require|list|select)[A-Z]/.test(name) || openWrites.includes(`${inServer(target)} ${name}`)
}

/** The folder's own noun and those of its tables: `builds` has build, file, download. */
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

function featureOf(path: string): string | undefined {
  return /^packages\/server\/src\/features\/([^/]+)\//.exec(path)?.[1]
}

function inServer(path: string): string {
  return path.startsWith(server) ? path.slice(server.length) : path
}

/** From npm or from Node itself, not ours. */
function isForeign(target: string | undefined): boolean {
  return target !== undefined && !/^(packages|bench|scripts|\.\.|@quayside)(\/|$)/.test(target)
}

export function isTest(path: string): boolean {
  return /\.(test|suite|fixture)\.[jt]s$/.test(path) || /^packages\/[^/]+\/test\//.test(path)
}
