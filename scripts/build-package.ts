// Writes the npm package of a workspace without a bundle into a new folder, which `npm pack` packs:
//
//   node scripts/build-package.ts <cli | sdk | embedded-postgres> <folder>
//
// Nothing in the workspace changes, so that packages can be built at the same time.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { programPath } from './tools/programs.ts'
import { installTools } from './tools/tool-sets.ts'

const root = join(import.meta.dirname, '..')
const [name, target] = process.argv.slice(2)
if (name === undefined || target === undefined) {
  console.error('Usage: node scripts/build-package.ts <cli | sdk | embedded-postgres> <folder>')
  process.exit(2)
}
const workspace = join(root, 'packages', name)
const folder = resolve(target)
const manifest = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as { files: string[] }

installTools('check')
mkdirSync(folder, { recursive: true })
for (const path of globSync([...manifest.files.filter((file) => file !== 'dist'), 'README.md'], {
  cwd: workspace,
}))
  cpSync(join(workspace, path), join(folder, path), { recursive: true })
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
const published = { ...manifest, devDependencies: undefined, scripts: undefined }
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
const project = join(workspace, 'tsconfig.build.json')
execFileSync(process.execPath, [programPath('tsc'), '--project', project, '--outDir', join(folder, 'dist')], {
  stdio: 'inherit',
})
