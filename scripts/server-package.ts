// Writes the npm package of the server into a new folder, which `npm pack` packs:
//
//   node --conditions=@quayside/source scripts/server-package.ts <folder>
//
// The package contains the bundle, so it has no dependencies except PostgreSQL.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import './build.ts'
import { copyBuiltFiles, isPublishedFile } from './package/built-files.ts'

type Manifest = { files: string[]; optionalDependencies?: Record<string, string> }

const root = join(import.meta.dirname, '..')
const server = join(root, 'packages/server')
const [target] = process.argv.slice(2)
if (target === undefined) {
  console.error('Usage: node --conditions=@quayside/source scripts/server-package.ts <folder>')
  process.exit(2)
}
const folder = resolve(target)
const readManifest = (path: string) =>
  JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest
const manifest = readManifest(server)
const { optionalDependencies } = readManifest(join(root, 'packages/embedded-postgres'))

mkdirSync(folder, { recursive: true })
for (const path of globSync([...manifest.files, 'README.md'], { cwd: server }))
  cpSync(join(server, path), join(folder, path), { recursive: true, filter: isPublishedFile })
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
await copyBuiltFiles(root, join(folder, 'built'))
// JSON has no fields that are undefined.
const unpublished = {
  dependencies: undefined,
  devDependencies: undefined,
  scripts: undefined,
  files: undefined,
}
const published = { ...manifest, ...unpublished, optionalDependencies }
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
