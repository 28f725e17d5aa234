import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { deleteUnusedFiles } from './install/unused-files.ts'

// npm runs this after `npm ci` and `npm install`, through scripts/guard-node.cjs. Everything here can be missing:
// `npm start` and the tests build what is not built, and Quayside runs with the unused files too.
const root = join(import.meta.dirname, '..')
await deleteUnusedFiles(join(root, 'node_modules'))
// An image installs packages before it has the source.
const isComplete = ['packages/web/index.html', 'packages/cli/src/main.ts', 'node_modules/vite']
if (isComplete.every((path) => existsSync(join(root, path)))) await import('./build.ts')
