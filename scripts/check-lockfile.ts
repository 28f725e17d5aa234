import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Locked = { packages: Record<string, { optionalDependencies?: Record<string, string> }> }

// npm leaves out optional packages that the registry does not have (yet); then `npm ci` fails everywhere, and other
// platforms lack their part.
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
  console.log('Take a version whose packages for all platforms can be had, so that `npm ci` works.')
  process.exitCode = 1
}
