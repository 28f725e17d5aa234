import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Locked = { packages: Record<string, { optionalDependencies?: Record<string, string> }> }

// npm omits an optional package from the lockfile if the package is not published yet. `npm ci` then fails on every
// platform.
const { packages } = JSON.parse(
  await readFile(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
) as Locked
const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !locked.has(name))
    .map(([name, range]) => `${name} ${range}, optional for ${path === '' ? 'the root' : path}`),
)
for (const line of missing) console.log(`package-lock.json lacks ${line}`)
if (missing.length > 0) {
  console.log('Choose versions that are available for all platforms, so that `npm ci` works.')
  process.exitCode = 1
}
