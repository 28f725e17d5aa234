import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type LockedPackage = {
  optional?: true
  optionalDependencies?: Record<string, string>
  engines?: Record<string, string>
  libc?: string[]
}
type Lockfile = { packages: Record<string, LockedPackage> }

// node scripts/check-lockfile.ts         report what makes `npm ci` fail or install too little
// node scripts/check-lockfile.ts --fix   correct what can be corrected
const root = join(import.meta.dirname, '..')
const fixes = process.argv.includes('--fix')

function fail(lines: string[]): void {
  for (const line of lines) console.log(line)
  if (lines.length > 0) process.exitCode = 1
}

/**
 * npm omits an optional package from the lockfile if the package is not published yet. `npm ci` then fails on every
 * platform.
 */
function findMissing(packages: [name: string, entry: LockedPackage][]): string[] {
  const locked = new Set(packages.map(([name]) => name.replace(/^.*node_modules\//, '')))
  return packages.flatMap(([name, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([dependency]) => !locked.has(dependency))
      .map(
        ([dependency, range]) => `${dependency} ${range}, optional for ${name === '' ? 'the root' : name}`,
      ),
  )
}

/**
 * npm silently leaves out an optional package, such as the native part of a bundler, if its `engines` exclude the Node that
 * runs npm. The bundled Node runs these packages, so the Node of npm does not matter. npm 9.6, which comes with Node 20.0,
 * does not recognize glibc and leaves out every package that requires it.
 */
const isRestricted = ({ optional, engines, libc }: LockedPackage) =>
  optional === true && (engines !== undefined || libc?.includes('glibc') === true)

for await (const file of glob(['package-lock.json', 'scripts/tools/*/package-lock.json'], { cwd: root })) {
  const path = join(root, file)
  const lockfile = JSON.parse(await readFile(path, 'utf8')) as Lockfile
  const packages = Object.entries(lockfile.packages)
  const advice = 'choose a version that is available for all platforms, so that `npm ci` works'
  fail(findMissing(packages).map((entry) => `${file} lacks ${entry}: ${advice}`))
  const restricted = packages.filter(([, entry]) => isRestricted(entry))
  if (fixes && restricted.length > 0) {
    for (const [, entry] of restricted) {
      delete entry.engines
      if (entry.libc?.includes('glibc')) delete entry.libc
    }
    await writeFile(path, `${JSON.stringify(lockfile, null, 2)}\n`)
  } else fail(restricted.map(([name]) => `${file} restricts where ${name} is installed`))
}
