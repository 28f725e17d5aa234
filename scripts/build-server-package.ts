// Builds the server package for `npm pack` and `npm publish`: its code and what it serves.
import { join } from 'node:path'
import './build-package.ts'
import './build.ts'
import { copySiteFiles } from './package/site-files.ts'

const root = join(import.meta.dirname, '..')
await copySiteFiles(root, join(root, 'packages/server/dist/site-files'))
