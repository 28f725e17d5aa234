import { glob, readFile } from 'node:fs/promises'
import { posix, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { checkLayers } from './layers/check-layers.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const root = resolve(positionals[0] ?? `${import.meta.dirname}/..`)

const patterns = [
  'packages/*/{src,bin,test,generator}/**/*.{ts,tsx,js}',
  'packages/*/*.ts',
  'packages/server/migrations/*.sql',
]
const paths: string[] = []
for await (const path of glob(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/fixtures/**'] }))
  paths.push(path.replaceAll(sep, posix.sep))

const files = await Promise.all(
  paths.toSorted().map(async (path) => ({ path, text: await readFile(resolve(root, path), 'utf8') })),
)
const findings = checkLayers(files)
for (const { path, line, message } of findings) console.log(`${path}:${line} ${message}`)
console.log(`${files.length} files, ${findings.length} against the rules of docs/architecture.md`)
process.exitCode = findings.length === 0 ? 0 : 1
