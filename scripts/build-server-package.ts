// Builds the server package for `npm pack` and `npm publish`: its code and what it serves and starts.
import { join } from 'node:path'
import './build-package.ts'
import './build.ts'
import { copyBuiltFiles } from './package/built-files.ts'

const root = join(import.meta.dirname, '..')
await copyBuiltFiles(root, join(root, 'packages/server/dist/built'))
