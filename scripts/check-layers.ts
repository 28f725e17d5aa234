import { glob, readFile } from 'node:fs/promises'
import { posix, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { checkLayers, drawFeatures } from './layers/check-layers.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { draw: { type: 'boolean', default: false } },
})
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
const diagram = drawFeatures(files)
if (values.draw) {
  console.log(diagram)
} else {
  const findings = checkLayers(files)
  const page = 'docs/architecture.md'
  if (!(await readFile(resolve(root, page), 'utf8')).includes(diagram.trim()))
    findings.push({ path: page, line: 1, message: 'must contain what scripts/check-layers.ts --draw prints' })
  for (const { path, line, message } of findings) console.log(`${path}:${line} ${message}`)
  console.log(`${files.length} files, violations of docs/architecture.md: ${findings.length}`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
